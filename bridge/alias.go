package bridge

import "github.com/copilot-bridge/copilot-bridge/acp"

// Alias finds a session by the id that the editor knows; nil if it is not open.
func (b *Bridge) Alias(id string) *Session {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.byEditor[id]
}

// AliasFor is the editor's id of a session, "" if it has none.
func (b *Bridge) AliasFor(session string) string {
	s, err := b.Session(session)
	if err != nil || s.wire.editor.Load() == nil {
		return ""
	}
	return s.alias()
}

// AnyAlias is the editor's id of any session that is open, "" if none is.
func (b *Bridge) AnyAlias() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id := range b.byEditor {
		return id
	}
	return ""
}

// name gives the session the agent's id, and the editor's if it has none.
func (s *Session) name(remote acp.SessionID) {
	if !s.b.speaksACP() {
		return // its editor knows it by the bridge's
	}
	s.wire.named(remote)
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	s.b.byEditor[s.alias()] = s
}
