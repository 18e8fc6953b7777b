package session

import (
	"path/filepath"

	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// OpenSession makes a session that the agent does not know yet: it is told with the first prompt, or the first change
// of a mode or an option. Nothing is waited for. Errors are *Error.
func (all *Set) OpenSession(r NewSessionRequest) (Info, error) {
	s, err := all.register(beginning{NewSessionRequest: r})
	if err != nil {
		return Info{}, err
	}
	s.create(store.Meta{Title: r.Title})
	s.conversation.Sync() // before anybody is told of it
	s.entitle(r.Title)
	return s.Snapshot(), nil
}

// register makes a session and puts it in the list.
func (all *Set) register(r beginning) (*Session, error) {
	cwd, err := all.folder(r.Cwd)
	if err != nil && all.cfg.SpeaksACP {
		cwd, err = filepath.Clean(r.Cwd), nil // what becomes of a folder that is not there is the agent's to say
	}
	if err != nil {
		return nil, err
	}
	for _, dir := range append([]string{cwd}, r.Dirs...) {
		if err := all.cfg.Disk.AddRoot(dir); err != nil && all.cfg.SpeaksACP {
			all.cfg.Log.Warn().Err(err).Msg("a folder of the session is not served")
		} else if err != nil {
			return nil, &Error{Code: CodeInvalidParams, Message: err.Error(), Hint: "name a folder that exists", Err: err}
		}
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.closing {
		return nil, &Error{Code: CodeAgentUnavailable, Message: agents.ErrClosed.Error(), Err: agents.ErrClosed}
	}
	if r.meta.ID == "" {
		r.meta.ID = all.cfg.NewID("s")
	}
	s := newSession(all, cwd, r)
	all.sessions[s.ID], all.conversations[s.ID] = s, s.conversation
	return s, nil
}
