package bridge

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// LoadRaw opens an earlier session with the params of session/load or session/resume. What the agent replays goes to the
// editor with session/load only: a resume that the agent cannot do is a load of which nothing is shown.
func (b *Bridge) LoadRaw(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	var r acp.LoadSessionRequest
	if err := acp.Unmarshal(params, &r); err != nil || !filepath.IsAbs(r.Cwd) || r.SessionID == "" {
		return b.CallAgent(ctx, method, params)
	}
	for {
		s, known, err := b.toLoad(params, &r)
		switch {
		case err != nil:
			return nil, err
		case !known:
			return s.loadFirst(ctx, method, params)
		}
		raw, still, err := s.loadAgain(ctx, method, params)
		switch {
		case !still: // it was closed, or could not be loaded, while this waited for it
		case err == nil || !b.isCopilot() || ctx.Err() != nil:
			return raw, err
		default: // Copilot CLI 1.0.102 says that it is loaded already
			_ = b.CloseSession(ctx, s.ID) // somebody else may have been quicker
		}
	}
}

// toLoad finds the session that is to be loaded, or makes it, with its opening lock held: what comes for it meanwhile waits
// for the agent's answer. Nothing else does.
func (b *Bridge) toLoad(params jsontext.Value, r *acp.LoadSessionRequest) (s *Session, known bool, err error) {
	b.loading.Lock()
	defer b.loading.Unlock()
	if s := b.Alias(string(r.SessionID)); s != nil {
		return s, true, nil
	}
	if s, err = b.recall(string(r.SessionID), r); err != nil {
		return nil, false, err
	}
	s.wire.params = acp.WithoutMember(params, "sessionId")
	return s, false, nil
}

// loadFirst has the agent load a session that was not open. The caller has taken the opening lock, which is given back.
func (s *Session) loadFirst(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	defer s.opening.Release(1)
	raw, err := s.loadRaw(ctx, method, params)
	if err != nil {
		s.b.forget(s)
	}
	return raw, err
}

// loadAgain opens a session that is open: the agent shows its history once more, or says why it does not. still is false
// if it was open no more when its turn came.
func (s *Session) loadAgain(ctx context.Context, method string, params jsontext.Value) (raw jsontext.Value, still bool, err error) {
	if err := s.opening.Acquire(ctx, 1); err != nil {
		return nil, true, err
	}
	defer s.opening.Release(1)
	if s.b.Alias(s.alias()) != s {
		return nil, false, nil
	}
	raw, err = s.loadRaw(ctx, method, params)
	s.mu.Lock()
	l, remote := s.link, s.remote
	s.mu.Unlock()
	if err != nil && l != nil && !l.isGone() {
		l.bind(remote, s) // it is open as before
	}
	return raw, true, err
}

// recall makes a session of one that the store knows by the editor's id, or of one that only the agent knows. Its opening
// lock is held before anybody can find it.
func (b *Bridge) recall(id string, r *acp.LoadSessionRequest) (*Session, error) {
	req := NewSessionRequest{Cwd: r.Cwd, Dirs: r.AdditionalDirectories, MCPServers: r.MCPServers}
	remote := acp.SessionID(id)
	var saved *store.Session
	if b.store != nil {
		if m, ok := b.store.FindEditor(id); ok {
			if l, err := b.store.Load(m.ID); err == nil {
				saved, req.id, remote = l, m.ID, acp.SessionID(m.Agent)
			}
		}
	}
	s, err := b.register(req)
	if err != nil {
		if saved != nil {
			saved.Close()
		}
		return nil, err
	}
	s.opening.TryAcquire(1) // nobody else knows of it yet
	s.wire.named(acp.SessionID(id))
	s.name(remote)
	s.mu.Lock()
	s.remote = remote
	s.mu.Unlock()
	if saved == nil {
		s.wire.fresh.Store(true)
		s.create(store.Meta{Agent: string(remote), Editor: id})
		return s, nil
	}
	m := saved.Meta()
	if permission.IsPlan(acp.SessionModeID(m.Mode)) {
		s.in.put(holdIn{acp.SessionModeID(m.Mode)})
	}
	s.mu.Lock()
	s.snap.Title, s.snap.Turns, s.snap.Updated = m.Title, m.Turns, m.Updated
	s.mu.Unlock()
	if _, _, err := s.conversation.Restore(saved); err != nil {
		s.log.Warn().Err(err).Msg("not all of the session could be read")
	}
	return s, nil
}

func (s *Session) loadRaw(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	l, err := s.b.connectFor(ctx, s.b.setOf(s.servers))
	if err != nil {
		return nil, err
	}
	caps := l.agent.Info().Capabilities
	resume := method == acp.MethodSessionResume
	if resume && caps.SessionCapabilities.Resume == nil && caps.LoadSession {
		method = acp.MethodSessionLoad
	}
	raw, err := s.sayLoad(ctx, l, method, params, resume)
	var no *acp.Error
	if resume && method == acp.MethodSessionResume && caps.LoadSession && errors.As(err, &no) && no.Code == acp.CodeMethodNotFound {
		raw, err = s.sayLoad(ctx, l, acp.MethodSessionLoad, params, true) // it says that it can, and cannot (qwen-code 0.15.10)
	}
	if err != nil {
		return nil, s.b.rawError(l, err)
	}
	var resp acp.LoadSessionResponse
	_ = acp.Unmarshal(raw, &resp) // null is an answer too; the editor reads the rest
	s.bound(l, s.remoteID())
	s.in.put(s.planAgain(ctx, l, resp.Modes, resp.ConfigOptions))
	s.settled(ctx)
	return s.gate.Answer(raw), nil
}

// sayLoad has the agent open the session that it knows; mute keeps what it replays from the editor.
func (s *Session) sayLoad(ctx context.Context, l *link, method string, params jsontext.Value, mute bool) (jsontext.Value, error) {
	a, err := l.raw()
	if err != nil {
		return nil, err
	}
	if l.tools != nil {
		l.tools.Mint()
	}
	remote := s.remoteID()
	params = s.withTools(l, params)
	if id := acp.Member(params, "sessionId"); !acp.SameText(id, string(remote)) {
		params = acp.SetMember(params, "sessionId", acp.Quote(string(remote)))
	}
	ctx, over := s.replaying(ctx, mute)
	defer over()
	l.bind(remote, s)
	s.wire.loads.Store(l)
	defer s.wire.loads.Store(nil)
	raw, err := a.CallRaw(ctx, method, params)
	if err != nil {
		l.unbind(remote)
	}
	return raw, err
}
