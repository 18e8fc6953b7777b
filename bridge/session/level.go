package session

import (
	"cmp"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// levelIn sets how much is asked in the session; the answer is the level that holds then.
type levelIn struct {
	question[policy.Level]
	level policy.Level
	from  policy.Level // if not "": only where this one holds
}

// levelKnown has the gate decide by a level.
type levelKnown struct{ level policy.Level }

func (s *state) setLevel(in levelIn) []effect {
	if in.level == s.Level || in.from != "" && in.from != s.Level {
		return []effect{in.answer(s.Level)}
	}
	s.Level = in.level
	return []effect{levelKnown{in.level}, emit{&SessionChanged{Session: s.ID, Level: in.level}}, in.answer(in.level)}
}

// setLevel sets it, and decides anew about what waits for the user. It must not be called on the session's goroutine.
func (s *Session) setLevel(level, from policy.Level) (policy.Level, error) {
	now, ok := ask(s, func(q question[policy.Level]) any { return levelIn{q, level, from} })
	if !ok {
		return "", errSession(s.ID)
	}
	s.gate.Recheck()
	return now, nil
}

// SetLevel sets how much is asked in a session.
func (all *Set) SetLevel(session string, level policy.Level) (policy.Level, error) {
	s, err := all.Session(session)
	if err != nil {
		return "", err
	}
	return s.setLevel(level, "")
}

// SetDefaultLevel sets the level that sessions begin with from now on.
func (all *Set) SetDefaultLevel(level policy.Level) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.level = cmp.Or(level, policy.LevelAsk)
}
