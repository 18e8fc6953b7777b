package store

import (
	"errors"
	"io/fs"
)

// AgentState is what the agent has kept of the session with [Session.PutAgentState], nil if that is nothing. What is in
// it is the agent's business.
func (ses *Session) AgentState() ([]byte, error) {
	raw, err := ses.s.cfg.disk.Read(ses.path(agentName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return raw, err
}

// PutAgentState replaces what the agent keeps of the session: it is small, and is on disk, whole, when this returns nil.
func (ses *Session) PutAgentState(raw []byte) error {
	if ses.readOnly != nil {
		return ses.readOnly
	}
	ses.io.Lock() // so that nothing is written once the session is closed and its lock is free
	defer ses.io.Unlock()
	ses.mu.Lock()
	closed := ses.closed
	ses.mu.Unlock()
	if closed {
		return fs.ErrClosed
	}
	return ses.s.cfg.disk.Save(ses.path(agentName), raw)
}

// Folder is where files that belong to the session may be put: they go with it when it is deleted. "" while nothing of
// the session is saved.
func (ses *Session) Folder() string {
	if ses.readOnly != nil {
		return ""
	}
	return ses.dir
}

// Folder is the folder of a session in the store, "" for what can be none. Nobody says that it is there.
func (s *Store) Folder(id string) string {
	dir, err := s.dir(id)
	if err != nil {
		return ""
	}
	return dir
}
