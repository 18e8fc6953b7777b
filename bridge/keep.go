package bridge

import (
	"errors"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// sessionOver comes after the last event of a session. No editor is shown it.
type sessionOver struct{ session string }

func (*sessionOver) IsEvent() {}

// keep takes in what is about to be shown: updates get their number, and what must not be lost is on disk first. It
// runs on the outbox's goroutine, so that what is saved is what was shown, in the same order.
func (b *Bridge) keep(ev Event, show func(Event)) {
	switch ev := ev.(type) {
	case *replay:
		ev.show(show)
		return
	case *preview:
		ev.read()
		return
	case *Update:
		ev.Number()
	case *Message:
		ev.record()
	case *TurnStarted:
		if c := b.showing(ev.Session); c != nil {
			c.AddPrompt(ev.Turn, ev.Prompt, ev.refs)
		}
	case *steered:
		if c := b.showing(ev.session); c != nil {
			c.AddPrompt(ev.turn, []acp.ContentBlock{acp.Text(ev.text)}, nil)
		}
		return
	case *TurnEnded:
		if c := b.showing(ev.Session); c != nil && ev.cut {
			c.Sync()
		} else if c != nil {
			end := conversation.End{StopReason: ev.StopReason, Files: ev.Files, Lost: ev.lost != nil}
			if ev.Err != nil {
				end.Message = ev.Err.Error()
			}
			c.AddEnd(ev.Turn, end)
		}
	case *SessionChanged:
		c := b.showing(ev.Session)
		if c != nil && ev.Event != nil {
			c.AddHappening(ev.Event)
		}
		if c != nil && ev.queued != nil {
			c.AddQueued(ev.queued.Turn, ev.queued.Prompt, ev.queued.refs)
		}
	case *sessionOver:
		if c := b.showing(ev.session); c != nil {
			c.Close()
			b.mu.Lock()
			delete(b.shown, ev.session)
			b.mu.Unlock()
		}
		return
	}
	show(ev)
}

// showing is the conversation of a session whose events are still to be shown, nil after the last one.
func (b *Bridge) showing(session string) *conversation.Conversation {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.shown[session]
}

// openStore opens the sessions on disk.
func (b *Bridge) openStore() {
	b.shown = map[string]*conversation.Conversation{}
	if b.cfg.StateDir != "" {
		b.store = store.Open(store.Config{Dir: sessionsDir(b.cfg.StateDir), Now: b.cfg.Now, Notice: b.storeNotice})
	}
}

// storeNotice tells the person what the store has to say.
func (b *Bridge) storeNotice(session, text string) {
	b.cfg.Log.Warn().Str("session", session).Msg(text)
	kind := "notice"
	if strings.HasPrefix(text, "not saved") {
		kind = "not_saved"
	}
	b.out.push(&SessionChanged{Session: session, Event: &Happening{Type: kind, Message: text}})
}

// create makes the session's place in the store. A session that cannot be saved goes on all the same.
func (s *Session) create(m store.Meta) {
	m.Cwd, m.Dirs, m.Created, m.Updated = s.Cwd, s.Dirs, s.b.now().UTC(), s.b.now().UTC()
	if len(s.servers) > 0 && s.wire.params == nil { // an editor that speaks ACP brings them again
		if raw, err := acp.Marshal(s.servers); err == nil {
			m.Servers = raw
		}
	}
	if err := s.conversation.Create(m); err != nil {
		s.b.storeNotice(s.ID, "not saved: "+err.Error()+"; the session goes on, and what is said would be lost with this process")
	}
}

// note keeps the session's modes, options and title for the next run. The caller holds s.mu.
func (s *Session) note(st *state) {
	m, saved := s.conversation.Meta()
	if !saved || s.restoring {
		return
	}
	mode, options := m.Mode, m.Options // until the agent has said what they are
	if st.modes != nil {
		mode = string(st.modes.CurrentModeID)
	}
	if st.options != nil {
		options = chosen(st.options)
	}
	if m.Title == st.title && m.Mode == mode && sameOptions(m.Options, options) && m.Turns == s.snap.Turns {
		return
	}
	s.conversation.SetMeta(func(m *store.Meta) {
		m.Mode, m.Options, m.Turns, m.Updated = mode, options, s.snap.Turns, s.snap.Updated.UTC()
		if st.title != "" {
			m.Title = st.title
		}
	})
}

// neverPutBack are options that stay as a new session has them: a yes to everything is for the session it was given in.
var neverPutBack = map[acp.SessionConfigID]bool{"allow_all": true}

// chosen are the values of options, by id.
func chosen(options []acp.SessionConfigOption) map[string]jsontext.Value {
	out := map[string]jsontext.Value{}
	for _, o := range options {
		var v any
		switch o := o.Variant.(type) {
		case *acp.SessionConfigSelect:
			v = string(o.CurrentValue)
		case *acp.SessionConfigBoolean:
			v = o.CurrentValue
		default:
			continue
		}
		if raw, err := json.Marshal(v); err == nil && !neverPutBack[o.ID] {
			out[string(o.ID)] = raw
		}
	}
	return out
}

func sameOptions(a, b map[string]jsontext.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if string(v) != string(b[k]) {
			return false
		}
	}
	return true
}

// storeError is a failure to open a stored session, as a person is told of it.
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
