package wire

import (
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// Routing is what of a session must be known for every message that arrives, before the session itself gets to see it: the ids
// that the editor and the agent know it by, the turn that runs, and whether the agent replays what was said before. The zero value
// is of a session that the agent does not know.
//
// An editor that speaks ACP knows a session by the agent's id: the one that the agent gave it first, which goes on to work when
// a crash has cost the agent the session and a new one stands in for it. Others do not know the agent's ids.
type Routing struct {
	mu     sync.Mutex
	editor string // the id that the editor knows, "" if it knows none of the agent's
	remote string // the agent's, "" where it is the same
	turn   string // "" between turns
	replay bool   // what the agent sends is history
	muted  bool   // and has been shown before
}

// Named notes an id that the agent gives the session; the first one is the editor's.
func (s *Routing) Named(remote string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.editor == "" {
		s.editor = remote
	}
	if s.remote = remote; remote == s.editor {
		s.remote = ""
	}
}

// Editor is the id that the editor knows of those of the agent, "" if it knows none.
func (s *Routing) Editor() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.editor
}

// Outward gives a message of the agent the session id that the editor knows.
func (s *Routing) Outward(m *acp.Message) {
	s.mu.Lock()
	editor, differs := s.editor, s.remote != ""
	s.mu.Unlock()
	if differs {
		m.SetSessionID(acp.SessionID(editor))
	}
}

// OutwardParams is Outward for the params of a request, which stay as they are.
func (s *Routing) OutwardParams(params jsontext.Value) jsontext.Value {
	m := acp.NewMessage("", params)
	s.Outward(m)
	return m.Params()
}

// Inward is a message of the editor with the agent's session id.
func (s *Routing) Inward(params jsontext.Value) jsontext.Value {
	s.mu.Lock()
	remote := s.remote
	s.mu.Unlock()
	if remote != "" {
		return acp.SetMember(params, "sessionId", acp.Quote(remote))
	}
	return params
}

// BeginTurn has the turn be that of all messages until EndTurn.
func (s *Routing) BeginTurn(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn = id
}

// EndTurn ends the turn, if it is the one that runs.
func (s *Routing) EndTurn(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn == id {
		s.turn = ""
	}
}

// Turn is the turn that runs, "" between turns.
func (s *Routing) Turn() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.turn
}

// SetReplay says whether what the agent sends from here on is history, and is not shown.
func (s *Routing) SetReplay(on, mute bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replay, s.muted = on, on && mute
}

// Stamp gives a message that the session does not get to see its turn, and says whether it is shown, and whether as it came:
// with the session id that the editor knows.
func (s *Routing) Stamp(ev *conversation.Message) (shown, asItCame bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ev.Turn, ev.Replay = s.turn, s.replay
	return !s.muted, s.remote == ""
}
