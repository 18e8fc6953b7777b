package bridge

import "github.com/copilot-bridge/copilot-bridge/bridge/host"

// newHost makes what serves the agents of all sessions.
func (b *Bridge) newHost() *host.Host {
	return host.New(host.Config{FS: b.fs, Overlay: b.overlay, Disk: b.disk, Editor: b.cfg.Editor})
}

// newHost makes what the session's agent may ask for.
func (s *Session) newHost() *host.Service {
	return s.b.host.Session(host.Session{ID: s.ID, Cwd: s.Cwd, Gate: s.gate})
}
