package session

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// How an editor that speaks ACP opens sessions: with params as it sends them, and answers as the agent sends them.

// Hello starts the agent and returns what it answers to initialize, as it came.
func (all *Set) Hello(ctx context.Context) (jsontext.Value, error) {
	a, err := all.connect(ctx)
	if err != nil {
		return nil, err
	}
	return a.Agent.Info().Result, nil
}

// Open opens a session with the params of session/new, or of session/fork, and returns the agent's answer as it
// came. Where they are not what the bridge can read, the agent is left to say so.
func (all *Set) Open(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	var r acp.NewSessionRequest
	if err := acp.Unmarshal(params, &r); err != nil || !filepath.IsAbs(r.Cwd) {
		return all.CallAgent(ctx, method, params)
	}
	opener := make(chan struct{})
	s, err := all.register(beginning{
		NewSessionRequest: NewSessionRequest{Cwd: r.Cwd, Dirs: r.AdditionalDirectories, MCPServers: r.MCPServers},
		params:            acp.WithoutMember(params, "sessionId"), opener: opener,
	})
	if err != nil {
		return nil, err
	}
	defer s.releases(opener)()
	raw, err := s.openWith(ctx, method, params)
	if err != nil {
		all.forget(s)
	}
	return raw, err
}

func (s *Session) openWith(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	a, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	if of, ok := acp.StringOf(acp.Member(params, "sessionId")); ok { // session/fork
		if other := s.all.Alias(of); other != nil {
			params = other.routing.Inward(params)
			if plan := other.gate.PlanMode(); plan != "" { // what comes of a session in plan mode is in plan mode
				s.in.put(holdIn{plan})
			}
			if _, err := s.setLevel(s.Snapshot().Level.Narrower(other.Snapshot().Level), ""); err != nil { // and no less is asked in it
				return nil, err
			}
		}
	}
	resp, raw, err := s.newAtAgent(ctx, a, method, params)
	switch {
	case raw == nil:
		return nil, s.all.refused(a, err)
	case err != nil || resp.SessionID == "":
		s.all.cfg.Go(func() { s.all.forget(s) }) // it never came to be
		return raw, nil                          // the editor will make of it what it can
	}
	s.create(store.Meta{Editor: s.alias()})
	s.bound(a, resp.SessionID)
	s.in.put(s.planAgain(ctx, a, resp.Modes, resp.ConfigOptions))
	s.settled()
	return s.gate.Answer(raw), nil
}

// Load opens an earlier session with the params of session/load or session/resume. What the agent replays goes to the
// editor with session/load only: a resume that the agent cannot do is a load of which nothing is shown.
func (all *Set) Load(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	var r acp.LoadSessionRequest
	if err := acp.Unmarshal(params, &r); err != nil || !filepath.IsAbs(r.Cwd) || r.SessionID == "" {
		return all.CallAgent(ctx, method, params)
	}
	began := time.Now()
	for {
		s, release, err := all.toLoad(params, &r)
		switch {
		case errors.As(err, new(*store.HeldError)):
			if time.Since(began) > heldPatience {
				return nil, storeError(string(r.SessionID), err)
			}
			select {
			case <-time.After(heldAgain):
				continue
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		case err != nil:
			return nil, err
		case release != nil:
			return s.loadFirst(ctx, method, params, release)
		}
		raw, still, err := s.loadAgain(ctx, method, params)
		switch {
		case !still: // it was closed, or could not be loaded, while this waited for it
		case err == nil || !all.cfg.Agents.IsCopilot() || ctx.Err() != nil:
			return raw, err
		default: // Copilot CLI 1.0.102 says that it is loaded already
			_ = all.CloseSession(ctx, s.ID) // somebody else may have been quicker
		}
	}
}

// toLoad finds the session that is to be loaded, or makes it, with the right to open it ([Session.acquire]): what comes for it
// meanwhile waits for the agent's answer. Nothing else does.
func (all *Set) toLoad(params jsontext.Value, r *acp.LoadSessionRequest) (s *Session, release func(), err error) {
	all.loading.Lock()
	defer all.loading.Unlock()
	if s := all.Alias(string(r.SessionID)); s != nil {
		return s, nil, nil
	}
	return all.recall(string(r.SessionID), params, r)
}

// loadFirst has the agent load a session that was not open.
func (s *Session) loadFirst(ctx context.Context, method string, params jsontext.Value, release func()) (jsontext.Value, error) {
	defer release()
	raw, err := s.loadWith(ctx, method, params)
	if err != nil {
		s.all.forget(s)
	}
	return raw, err
}

// loadAgain opens a session that is open: the agent shows its history once more, or says why it does not. still is false
// if it was open no more when its turn came.
func (s *Session) loadAgain(ctx context.Context, method string, params jsontext.Value) (raw jsontext.Value, still bool, err error) {
	release, err := s.acquire(ctx)
	if err != nil {
		return nil, ctx.Err() != nil, err
	}
	defer release()
	if s.all.Alias(s.alias()) != s {
		return nil, false, nil
	}
	raw, err = s.loadWith(ctx, method, params)
	if at := s.snap.read(); err != nil && at.agent != nil && !at.agent.IsGone() {
		at.agent.Bind(at.Remote, receiver{s}) // it is open as before
	}
	return raw, true, err
}

// recall makes a session of one that the store knows by the editor's id, or of one that only the agent knows.
func (all *Set) recall(id string, params jsontext.Value, l *acp.LoadSessionRequest) (s *Session, release func(), err error) {
	r := beginning{
		NewSessionRequest: NewSessionRequest{Cwd: l.Cwd, Dirs: l.AdditionalDirectories, MCPServers: l.MCPServers},
		meta:              store.Meta{Agent: id}, params: acp.WithoutMember(params, "sessionId"), opener: make(chan struct{}), unseen: true,
	}
	var saved *store.Session
	if all.cfg.Store != nil {
		if m, ok := all.cfg.Store.FindEditor(id); ok {
			switch l, err := all.cfg.Store.Load(m.ID); {
			case err == nil:
				saved, r.meta, r.unseen = l, l.Meta(), false
			case errors.As(err, new(*store.HeldError)):
				return nil, nil, err // the agent may know it by another id than the editor, which stands there
			default:
				all.cfg.Log.Warn().Err(err).Str("session", m.ID).Msg("what is stored of the session cannot be read; the agent has its history")
				r.meta.Agent, r.meta.Level, r.meta.Mode = m.Agent, m.Level, m.Mode
			}
		}
	}
	if s, err = all.register(r); err != nil {
		if saved != nil {
			saved.Close()
		}
		return nil, nil, err
	}
	release = s.releases(r.opener)
	s.routing.Named(id)
	s.name(acp.SessionID(r.meta.Agent))
	if permission.IsPlan(acp.SessionModeID(r.meta.Mode)) {
		s.in.put(holdIn{acp.SessionModeID(r.meta.Mode)})
	}
	if saved == nil {
		s.create(store.Meta{Agent: r.meta.Agent, Editor: id})
		return s, release, nil
	}
	if _, _, err := s.conversation.Restore(saved); err != nil {
		s.log.Warn().Err(err).Msg("not all of the session could be read")
	}
	return s, release, nil
}

func (s *Session) loadWith(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	a, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	caps := a.Agent.Info().Capabilities
	resume := method == acp.MethodSessionResume
	if resume && caps.SessionCapabilities.Resume == nil && caps.LoadSession {
		method = acp.MethodSessionLoad
	}
	raw, err := s.loadAtAgent(ctx, a, method, params, resume)
	var no *acp.Error
	if resume && method == acp.MethodSessionResume && caps.LoadSession && errors.As(err, &no) && no.Code == acp.CodeMethodNotFound {
		raw, err = s.loadAtAgent(ctx, a, acp.MethodSessionLoad, params, true) // it says that it can, and cannot (qwen-code 0.15.10)
	}
	if err != nil {
		return nil, s.all.refused(a, err)
	}
	var resp acp.LoadSessionResponse
	_ = acp.Unmarshal(raw, &resp) // null is an answer too; the editor reads the rest
	s.bound(a, s.remoteID())
	s.in.put(s.planAgain(ctx, a, resp.Modes, resp.ConfigOptions))
	s.settled()
	return s.gate.Answer(raw), nil
}
