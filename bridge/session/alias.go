package session

import (
	"context"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// Alias finds a session by the id that the editor knows; nil if it is not open.
func (all *Set) Alias(id string) *Session {
	all.mu.Lock()
	defer all.mu.Unlock()
	return all.byEditor[id]
}

// AliasFor is the editor's id of a session, "" if it has none.
func (all *Set) AliasFor(session string) string {
	s, err := all.Session(session)
	if err != nil {
		return ""
	}
	return s.routing.Editor()
}

// AnyAlias is the editor's id of any session that is open, "" if none is.
func (all *Set) AnyAlias() string {
	all.mu.Lock()
	defer all.mu.Unlock()
	for id := range all.byEditor {
		return id
	}
	return ""
}

// alias is the session's id as the editor knows it.
func (s *Session) alias() string {
	if id := s.routing.Editor(); id != "" {
		return id
	}
	return s.ID
}

// name gives the session the agent's id, and the editor's if it has none.
func (s *Session) name(remote acp.SessionID) {
	if !s.all.cfg.SpeaksACP {
		return // its editor knows it by the bridge's
	}
	s.routing.Named(string(remote))
	s.all.mu.Lock()
	defer s.all.mu.Unlock()
	s.all.byEditor[s.alias()] = s
}

// replaying has the session take what the agent sends for a replay: until the answer of the call that is made with the
// context, in the order of the wire, since what comes right after the answer is news; or until over, if there is no answer.
func (s *Session) replaying(ctx context.Context, mute bool) (call context.Context, over func()) {
	replay := func(on bool) {
		s.routing.SetReplay(on, mute)
		s.in.put(replayIn{on: on, mute: on && mute})
	}
	replay(true)
	over = sync.OnceFunc(func() { replay(false) })
	return acp.WhenAnswered(ctx, over), over
}
