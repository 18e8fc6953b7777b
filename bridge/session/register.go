package session

import (
	"path/filepath"

	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
)

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
