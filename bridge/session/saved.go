package session

import (
	"errors"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// OpenStore opens the sessions of a state folder.
func OpenStore(stateDir string, now func() time.Time, notice func(store.Notice)) *store.Store {
	return store.Open(store.Config{Dir: sessionsDir(stateDir), Now: now, Notice: notice})
}

// StoreNotice tells the user what the store has to say.
func (all *Set) StoreNotice(n store.Notice) {
	all.cfg.Log.Warn().Str("session", n.Session).Msg(n.Text)
	kind := "notice"
	if n.Unsaved {
		kind = "not_saved"
	}
	all.cfg.Out.Push(&SessionChanged{Session: n.Session, Event: &Happening{Type: kind, Message: n.Text}})
}

// create makes the session's place in the store. A session that cannot be saved goes on all the same.
func (s *Session) create(m store.Meta) {
	m.Cwd, m.Dirs, m.Created, m.Updated, m.Level = s.Cwd, s.Dirs, s.all.cfg.Now().UTC(), s.all.cfg.Now().UTC(), string(s.Snapshot().Level)
	if len(s.servers) > 0 && s.params == nil { // an editor that speaks ACP brings them again
		if raw, err := acp.Marshal(s.servers); err == nil {
			m.Servers = raw
		}
	}
	if err := s.conversation.Create(m); err != nil {
		s.all.StoreNotice(store.Notice{Session: s.ID, Unsaved: true, Text: "not saved: " + err.Error() + "; the session goes on, and what is said would be lost with this process"})
	}
}

// saveSettings saves the session's modes, options and title for the next run. It is called on the session's goroutine.
func (s *Session) saveSettings(st *state) {
	m, saved := s.conversation.Meta()
	if !saved || st.restoring {
		return
	}
	mode, options := m.Mode, m.Options // until the agent has said what they are
	if st.Modes != nil {
		mode = string(st.Modes.CurrentModeID)
	}
	if st.Options != nil {
		options = permission.Chosen(st.Options)
	}
	if m.Title == st.Title && m.Titled == st.titled && m.Mode == mode && permission.SameOptions(m.Options, options) && m.Turns == st.Turns && m.Level == string(st.Level) {
		return
	}
	s.conversation.SetMeta(func(m *store.Meta) {
		m.Mode, m.Options, m.Turns, m.Updated, m.Title, m.Titled, m.Level = mode, options, st.Turns, st.Updated.UTC(), st.Title, st.titled, string(st.Level)
	})
}

// storeError is a failure to open a stored session, as the user is told of it.
func storeError(id string, err error) error {
	var held *store.HeldError
	switch {
	case errors.Is(err, store.ErrNotFound):
		return errSession(id)
	case errors.As(err, &held):
		return &Error{Code: CodeAgentUnavailable, Message: held.Error(), Hint: "close it there first; its transcript can be read here", Retryable: true, Err: err}
	case errors.Is(err, store.ErrNewer):
		return &Error{Code: CodeAgentUnavailable, Message: "session " + id + " was " + store.ErrNewer.Error(), Hint: "its transcript can be read; update copilot-bridge to continue it", Err: err}
	}
	return &Error{Code: CodeInternal, Message: err.Error(), Hint: "see copilot-bridge sessions show " + id, Err: err}
}
