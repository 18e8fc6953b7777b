package bridge

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// Hello starts the agent and returns what it answers to initialize, as it came.
func (b *Bridge) Hello(ctx context.Context) (jsontext.Value, error) {
	l, err := b.connect(ctx)
	if err != nil {
		return nil, err
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
	s.opening.Lock()
	defer s.opening.Unlock()
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
	raw, err := a.CallRaw(ctx, method, params)
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

// LoadRaw opens an earlier session with the params of session/load or session/resume. What the agent replays goes to the
// editor with session/load only: a resume that the agent cannot do is a load of which nothing is shown.
func (b *Bridge) LoadRaw(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	var r acp.LoadSessionRequest
	if err := acp.Unmarshal(params, &r); err != nil || !filepath.IsAbs(r.Cwd) || r.SessionID == "" {
		return b.CallAgent(ctx, method, params)
	}
	id := string(r.SessionID)
	b.loading.Lock()
	defer b.loading.Unlock()
	if s := b.Alias(id); s != nil {
		raw, err := s.loadAgain(ctx, method, params)
		if err == nil || !b.isCopilot() {
			return raw, err
		}
		_ = b.CloseSession(ctx, s.ID) // Copilot CLI 1.0.102 says that it is loaded already
	}
	s, err := b.recall(id, &r)
	if err != nil {
		return nil, err
	}
	s.wire.params = acp.WithoutMember(params, "sessionId")
	s.opening.Lock()
	defer s.opening.Unlock()
	raw, err := s.loadRaw(ctx, method, params)
	if err != nil {
		b.forget(s)
	}
	return raw, err
}

// loadAgain opens a session that is open: the agent shows its history once more, or says why it does not.
func (s *Session) loadAgain(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	s.opening.Lock()
	defer s.opening.Unlock()
	raw, err := s.loadRaw(ctx, method, params)
	s.mu.Lock()
	l, remote := s.link, s.remote
	s.mu.Unlock()
	if err != nil && l != nil && !l.isGone() {
		l.bind(remote, s) // it is open as before
	}
	return raw, err
}

// recall makes a session of one that the store knows by the editor's id, or of one that only the agent knows.
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
	s.mu.Lock()
	s.carry, s.snap.Title, s.snap.Turns, s.snap.Updated = m.Carry, m.Title, m.Turns, m.Updated
	s.mu.Unlock()
	if _, err := saved.Entries(s.history.restore); err != nil {
		s.log.Warn().Err(err).Msg("not all of the session could be read")
	}
	s.history.keep(saved)
	s.history.restored()
	s.history.forget()
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
	s.in.put(setIn{resp.Modes, resp.ConfigOptions})
	return raw, nil
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
	if id := acp.Member(params, "sessionId"); !acp.SameText(id, string(remote)) {
		params = acp.SetMember(params, "sessionId", acp.Quote(string(remote)))
	}
	s.replaying(true, mute)
	defer s.replaying(false, false)
	l.bind(remote, s)
	raw, err := a.CallRaw(ctx, method, params)
	if err != nil {
		l.unbind(remote)
	}
	return raw, err
}

// newAtAgent opens a new session of the agent for one that it has lost, as the first one was opened.
func (s *Session) newAtAgent(ctx context.Context, l *link) (*acp.NewSessionResponse, error) {
	if s.wire.params == nil {
		defer l.opens()()
		return l.agent.NewSession(ctx, &acp.NewSessionRequest{Cwd: s.Cwd, MCPServers: nonNil(s.servers), AdditionalDirectories: s.extraDirs(l)})
	}
	a, err := l.raw()
	if err != nil {
		return nil, err
	}
	defer l.opens()()
	l.openInner(+1)
	defer l.openInner(-1)
	raw, err := a.CallRaw(ctx, acp.MethodSessionNew, s.wire.params)
	if err != nil {
		return nil, err
	}
	resp := new(acp.NewSessionResponse)
	if err := acp.Unmarshal(raw, resp); err != nil {
		return nil, err
	}
	s.name(resp.SessionID)
	return resp, nil
}

// opens keeps the process while a session is opened in it.
func (l *link) opens() (over func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.opening++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.opening--
	}
}

func (l *link) openInner(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inner += n
}

// loadAtAgent gives the session to an agent process that does not have it in memory; nothing of it is shown.
func (s *Session) loadAtAgent(ctx context.Context, l *link, remote acp.SessionID) (*acp.LoadSessionResponse, error) {
	if s.wire.params == nil {
		if resp, ok := s.resumeAtAgent(ctx, l, remote); ok {
			return resp, nil
		}
		return l.agent.LoadSession(ctx, &acp.LoadSessionRequest{SessionID: remote, Cwd: s.Cwd, MCPServers: nonNil(s.servers), AdditionalDirectories: s.extraDirs(l)})
	}
	method := acp.MethodSessionLoad
	if caps := l.agent.Info().Capabilities; !caps.LoadSession && caps.SessionCapabilities.Resume != nil {
		method = acp.MethodSessionResume
	}
	raw, err := s.sayLoad(ctx, l, method, s.wire.params, true)
	if err != nil {
		return nil, err
	}
	resp := new(acp.LoadSessionResponse)
	return resp, acp.Unmarshal(raw, resp)
}

// resumer is an agent that can be asked to go on without a replay (ACP v1 session/resume).
type resumer interface {
	ResumeSession(context.Context, *acp.ResumeSessionRequest) (*acp.ResumeSessionResponse, error)
}

// resumeAtAgent is loadAtAgent without a replay that nobody would be shown; false where that is not to be had.
func (s *Session) resumeAtAgent(ctx context.Context, l *link, remote acp.SessionID) (*acp.LoadSessionResponse, bool) {
	a, ok := l.agent.(resumer)
	caps := l.agent.Info().Capabilities
	if !ok || caps.SessionCapabilities.Resume == nil || caps.LoadSession && s.isNew() {
		return nil, false
	}
	resp, err := a.ResumeSession(ctx, &acp.ResumeSessionRequest{SessionID: remote, Cwd: s.Cwd, MCPServers: nonNil(s.servers), AdditionalDirectories: s.extraDirs(l)})
	if err != nil {
		s.log.Warn().Err(err).Msg("the agent does not resume the session; it is loaded")
		return nil, false
	}
	return &acp.LoadSessionResponse{Modes: resp.Modes, ConfigOptions: resp.ConfigOptions, Meta: resp.Meta, Extra: resp.Extra}, true
}

// CallAgent passes a request of the editor on and returns the agent's answer as it came. A session in it is made known
// to the agent first, should it have been started anew.
func (b *Bridge) CallAgent(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	l, params, err := b.route(ctx, params)
	if err != nil {
		return nil, err
	}
	a, err := l.raw()
	if err != nil {
		return nil, err
	}
	raw, err := a.CallRaw(ctx, method, params)
	if err != nil {
		return nil, b.rawError(l, err)
	}
	return raw, nil
}

// TellAgent passes a notification of the editor on.
func (b *Bridge) TellAgent(ctx context.Context, method string, params jsontext.Value) error {
	l, params, err := b.route(ctx, params)
	if err != nil {
		return err
	}
	a, err := l.raw()
	if err != nil {
		return err
	}
	return a.NotifyRaw(ctx, method, params)
}

// route finds the agent process that a message of the editor is for.
func (b *Bridge) route(ctx context.Context, params jsontext.Value) (*link, jsontext.Value, error) {
	if id, ok := acp.StringOf(acp.Member(params, "sessionId")); ok {
		if s := b.Alias(id); s != nil {
			l, err := s.attach(ctx)
			return l, s.wire.inward(params), err
		}
	}
	l, err := b.connect(ctx)
	return l, params, err
}

// rawError is an agent's refusal as the editor gets it: as it came.
func (b *Bridge) rawError(l *link, err error) error {
	if errors.Is(err, agent.ErrSignedOut) {
		b.auth.set(AuthSignedOut, l.agent.Info().AuthMethods)
	}
	return err
}

// forgetLater ends a session that never came to be.
func (b *Bridge) forgetLater(s *Session) { b.work.Go(func() { b.forget(s) }) }

// CloseRaw ends a session with the params of session/close, and returns the agent's answer as it came.
func (b *Bridge) CloseRaw(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	raw, err := b.CallAgent(ctx, method, params)
	id, _ := acp.StringOf(acp.Member(params, "sessionId"))
	s := b.Alias(id)
	if err != nil || s == nil {
		return raw, err
	}
	s.mu.Lock()
	l, remote := s.link, s.remote
	s.mu.Unlock()
	if l != nil {
		l.unbind(remote)
		b.retire(l)
	}
	s.unfollow()
	b.forget(s)
	if method == acp.MethodSessionDelete && b.store != nil {
		s.history.close()
		_ = b.store.Delete(s.ID) // it may never have been saved
	}
	return raw, nil
}

// Set passes session/set_mode and session/set_config_option on, and notes what the person has chosen: plan mode, and a
// yes to everything, hold here too.
func (b *Bridge) Set(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	id, _ := acp.StringOf(acp.Member(params, "sessionId"))
	s := b.Alias(id)
	if s == nil {
		return b.CallAgent(ctx, method, params)
	}
	option, value := "mode", acp.Member(params, "modeId")
	if method == acp.MethodSessionSetConfigOption {
		option, _ = acp.StringOf(acp.Member(params, "configId"))
		value = acp.Member(params, "value")
	}
	var chosen any
	if text, ok := acp.StringOf(value); ok {
		chosen = text
	} else {
		chosen = string(value) == "true"
	}
	undo := s.everything.chose(acp.SessionConfigID(option), chosen)
	raw, err := b.CallAgent(ctx, method, params)
	if err != nil {
		undo()
		return nil, err
	}
	if method == acp.MethodSessionSetMode {
		text, _ := chosen.(string)
		s.in.put(rawIn{update: &acp.CurrentModeUpdate{CurrentModeID: acp.SessionModeID(text)}})
	} else {
		var resp acp.SetSessionConfigOptionResponse
		if acp.Unmarshal(raw, &resp) == nil {
			s.in.put(rawIn{update: &acp.ConfigOptionUpdate{ConfigOptions: resp.ConfigOptions}})
		}
	}
	return raw, nil
}
