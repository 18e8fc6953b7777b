package lspfront

import (
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// wireLevel is how much is asked in a session, in words for people.
type wireLevel struct {
	ID          policy.Level `json:"id" enum:"read-only,ask,edits,all"`
	Name        string       `json:"name"`
	Description string       `json:"description"`
}

// wireLevels are all levels, the narrowest first, so that no client has a list of its own.
func wireLevels() (out []wireLevel) {
	for _, l := range policy.Levels() {
		out = append(out, wireLevel(l))
	}
	return out
}

type setLevelParams struct {
	SessionID string       `json:"sessionId"` // of a command, left out: the session used last, or a new one
	Level     policy.Level `json:"level" enum:"read-only,ask,edits,all"`
}

type setLevelResult struct {
	Level policy.Level `json:"level" enum:"read-only,ask,edits,all"`
}

// setLevel sets how much is asked in a session.
func setLevel(q *asked, p setLevelParams) (out setLevelResult, err error) {
	level, err := policy.ParseLevel(string(p.Level))
	if err != nil {
		return out, invalid(err.Error())
	}
	if q.command && p.SessionID == "" {
		if p.SessionID, err = q.s.sessionFor(q.b, ""); err != nil {
			return out, err
		}
	}
	out.Level, err = q.b.SetLevel(p.SessionID, level)
	q.answer = setLevelParams{p.SessionID, out.Level}
	return out, err
}

// levelActions are the actions that switch to another level, where no plugin shows a switch.
func (a *actionPlace) levelActions() (out []protocol.CodeAction) {
	if a.s.Rich(plain.Updates) {
		return nil
	}
	now, id := a.s.levelNow()
	if id == "" {
		return nil
	}
	for _, l := range policy.Levels() {
		if l.ID != now {
			out = append(out, a.s.action("setLevel", "Copilot permissions: "+l.Name, setLevelParams{id, l.ID}))
		}
	}
	return out
}

// levelNow is the level of the session used last, and its id; "" if there is none.
func (s *server) levelNow() (level policy.Level, session string) {
	id := s.user.session()
	if id == "" {
		return "", ""
	}
	b, err := s.Bridge()
	if err != nil {
		return "", ""
	}
	sess, err := b.Session(id)
	if err != nil {
		return "", ""
	}
	return sess.Snapshot().Level, id
}

// levelChanged tells a status line, which has what was told it last, that the session used last has another level. It is called by
// Show.
func (s *server) levelChanged(session string) {
	if s.status.Kind != "" && session == s.user.session() && s.Rich(plain.Status) {
		s.status.Level, _ = s.levelNow()
		s.notifyRich(prefix+"status/didChange", s.status)
	}
}
