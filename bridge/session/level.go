package session

import (
	"cmp"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// levelIn sets how much is asked in the session; the answer is the level that holds then.
type levelIn struct {
	question[policy.Level]
	level policy.Level
	from  policy.Level // if not "": only where this one holds
}

// levelKnown has the gate decide by a level, and the store know it.
type levelKnown struct{ level policy.Level }

// levelSavedIn says that a level is on disk, if it can be: the editor is told of it, unless there is another one by now.
type levelSavedIn struct{ level policy.Level }

func (s *state) setLevel(in levelIn) []effect {
	if in.level == s.Level || in.from != "" && in.from != s.Level {
		return []effect{in.answer(s.Level)}
	}
	s.Level = in.level
	return []effect{levelKnown{in.level}, in.answer(in.level)}
}

func (s *state) levelSaved(in levelSavedIn) []effect {
	if in.level != s.Level {
		return nil // who set the other one tells of it
	}
	return []effect{emit{&SessionChanged{Session: s.ID, Level: in.level}}}
}

// setLevel sets it, and decides anew about what waits for the user. It holds before it is on disk, and is there before anybody is told
// of it: what the user narrowed stays narrow, however the bridge ends. It must not be called on the session's goroutine.
func (s *Session) setLevel(level, from policy.Level) (policy.Level, error) {
	was := s.Snapshot().Level
	now, ok := ask(s, func(q question[policy.Level]) any { return levelIn{q, level, from} })
	if !ok {
		return "", errSession(s.ID)
	}
	s.gate.Recheck()
	if now == was {
		return now, nil
	}
	if err := s.conversation.Save(); err != nil {
		s.all.StoreNotice(store.Notice{Session: s.ID, Unsaved: true, Text: "the level " + string(now) + " holds now and is not saved: " + err.Error() + "; once copilot-bridge has ended, look at the level before you go on with this session"})
	}
	s.tell(levelSavedIn{now})
	return now, nil
}

// narrowed says whether a level allows less than what sessions begin with: then it is kept also for a session in which nothing was said.
func (all *Set) narrowed(level policy.Level) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	return level != all.level && level.Narrower(all.level) == level
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
