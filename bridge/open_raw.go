package bridge

import (
	"context"
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// Hello starts the agent and returns what it answers to initialize, as it came.
func (b *Bridge) Hello(ctx context.Context) (jsontext.Value, error) {
	l, err := b.connect(ctx)
	if err != nil {
		return nil, err
	}
	if i := l.agent.Info(); len(i.Result) == 0 {
		return introduced(i)
	}
	return l.agent.Info().Result, nil
}

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

// OpenRaw opens a session with the params of session/new, or of session/fork, and returns the agent's answer as it
// came. Where they are not what the bridge can read, the agent is left to say so.
func (b *Bridge) OpenRaw(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	var r acp.NewSessionRequest
	if err := acp.Unmarshal(params, &r); err != nil || !filepath.IsAbs(r.Cwd) {
		return b.CallAgent(ctx, method, params)
	}
	s, err := b.register(NewSessionRequest{Cwd: r.Cwd, Dirs: r.AdditionalDirectories, MCPServers: r.MCPServers})
	if err != nil {
		return nil, err
	}
	s.wire.params = acp.WithoutMember(params, "sessionId")
	if err := s.opening.Acquire(ctx, 1); err != nil {
		b.forget(s)
		return nil, err
	}
	defer s.opening.Release(1)
	raw, err := s.openRaw(ctx, method, params)
	if err != nil {
		b.forget(s)
	}
	return raw, err
}

func (s *Session) openRaw(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	l, err := s.b.connectFor(ctx, s.b.setOf(s.servers))
	if err != nil {
		return nil, err
	}
	if of, ok := acp.StringOf(acp.Member(params, "sessionId")); ok { // session/fork
		if other := s.b.Alias(of); other != nil {
			params = other.wire.inward(params)
		}
	}
	a, err := l.raw()
	if err != nil {
		return nil, err
	}
	if l.tools != nil {
		l.tools.Mint()
	}
	defer l.opens()()
	raw, err := a.CallRaw(ctx, method, s.withTools(l, params))
	if err != nil {
		return nil, s.b.rawError(l, err)
	}
	var resp acp.NewSessionResponse
	if err := acp.Unmarshal(raw, &resp); err != nil || resp.SessionID == "" {
		s.b.forgetLater(s)
		return raw, nil // the editor will make of it what it can
	}
	s.name(resp.SessionID)
	s.create(store.Meta{Editor: s.alias()})
	s.bound(l, resp.SessionID)
	s.in.put(setIn{resp.Modes, resp.ConfigOptions})
	return raw, nil
}

// name gives the session the agent's id, and the editor's if it has none.
func (s *Session) name(remote acp.SessionID) {
	s.wire.named(remote)
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	s.b.byEditor[s.alias()] = s
}

// forgetLater ends a session that never came to be.
func (b *Bridge) forgetLater(s *Session) { b.work.Go(func() { b.forget(s) }) }
