package bridge

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// newHost makes what serves the agents of all sessions.
func (b *Bridge) newHost() *host.Host {
	return host.New(host.Config{
		FS: b.fs, Overlay: b.overlay, Disk: b.disk, Book: b.book, Editor: b.cfg.Editor, Runner: b.runner, Shells: b.shells, Flush: b.cfg.Flush,
		EditorTerminals: b.cfg.Terminals != nil, AgentsEditor: b.speaksACP(),
		Sessions: b.services, SettleReview: func() { b.settleReview(b.life) },
		Own: b.ownFolders(), CloneDir: b.cfg.StateDir, Life: b.life,
	})
}

// services are what the sessions' agents may ask for.
func (b *Bridge) services() (all []*host.Service) {
	for _, s := range b.allSessions() {
		all = append(all, s.host)
	}
	return all
}

// ownFolders are where the bridge and Copilot write for themselves.
func (b *Bridge) ownFolders() []string {
	return []string{b.cfg.StateDir, copilot.SessionsDir(b.cfg.Env), copilot.LogDir(b.cfg.Env)}
}

// newHost makes what the session's agent may ask for.
func (s *Session) newHost() *host.Service {
	cfg := host.Session{
		ID: s.ID, Cwd: s.Cwd, Gate: s.gate, Log: s.log, Life: s.life, Go: s.work.Go, Turn: turnOf, Tell: s.b.teller(s.ID),
		TurnNow: func() string { return turnOf(s.turnContext()) }, Prompted: s.prompted,
		Watched: s.approvals.Watching, CommandAllowed: s.approvals.Command, Compared: s.reportUnapproved,
		Running: func(titles []string) { s.in.put(commandsIn{titles}) },
	}
	if _, reads := s.b.cfg.Remote.(Reader); reads {
		cfg.ReadAsAsked = s.readAsAsked
	}
	return s.b.host.Session(cfg)
}

// teller shows the user what happens beside the answers to a session's agent.
func (b *Bridge) teller(session string) func(host.News) {
	return func(n host.News) {
		b.out.Push(&SessionChanged{Session: session, Event: &Happening{Type: n.Kind, Message: n.Message, Data: n.Data}})
	}
}

// hostCall is a call of an editor tool on its way through package host.
type hostCall struct {
	s   *Session
	use *toolUse
}

// Changed has the last ACP update of the call carry the diff.
func (c hostCall) Changed(d permission.FileDiff) { c.s.in.put(diffIn{c.use, d}) }

// Began shows the terminal of the call's command in the call, as soon as both are known.
func (c hostCall) Began(ctx context.Context, t *terminalproxy.Terminal) {
	c.s.showAway(ctx, c.use, t.RemoteID())
	c.s.in.put(terminalIn{c.use, t.ID()})
}
