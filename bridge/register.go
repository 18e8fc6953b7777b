package bridge

import (
	"path/filepath"

	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// OpenSession makes a session that the agent does not know yet: it is told with the first prompt, or the first change
// of a mode or an option. Nothing is waited for. Errors are *Error.
func (b *Bridge) OpenSession(r NewSessionRequest) (Info, error) {
	s, err := b.register(beginning{NewSessionRequest: r})
	if err != nil {
		return Info{}, err
	}
	s.create(store.Meta{Title: r.Title})
	s.conversation.Sync() // before anybody is told of it
	s.entitle(r.Title)
	return s.Snapshot(), nil
}

// register makes a session and puts it in the list.
func (b *Bridge) register(r beginning) (*Session, error) {
	cwd, err := b.folder(r.Cwd)
	if err != nil && b.speaksACP() {
		cwd, err = filepath.Clean(r.Cwd), nil // what becomes of a folder that is not there is the agent's to say
	}
	if err != nil {
		return nil, err
	}
	for _, dir := range append([]string{cwd}, r.Dirs...) {
		if err := b.disk.AddRoot(dir); err != nil && b.speaksACP() {
			b.cfg.Log.Warn().Err(err).Msg("a folder of the session is not served")
		} else if err != nil {
			return nil, &Error{Code: CodeInvalidParams, Message: err.Error(), Hint: "name a folder that exists", Err: err}
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closing {
		return nil, &Error{Code: CodeAgentUnavailable, Message: agents.ErrClosed.Error(), Err: agents.ErrClosed}
	}
	if r.meta.ID == "" {
		r.meta.ID = b.newID("s")
	}
	s := newSession(b, cwd, r)
	b.sessions[s.ID], b.conversations[s.ID] = s, s.conversation
	return s, nil
}
