package session

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
)

// CallAgent passes a request of the editor on and returns the agent's answer as it came. A session in it is made known
// to the agent first, should it have been started anew.
func (all *Set) CallAgent(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	a, params, err := all.route(ctx, params)
	if err != nil {
		return nil, err
	}
	raw, err := a.Agent.Call(ctx, method, params)
	if err != nil {
		return nil, all.refused(a, err)
	}
	return raw, nil
}

// TellAgent passes a notification of the editor on.
func (all *Set) TellAgent(ctx context.Context, method string, params jsontext.Value) error {
	a, params, err := all.route(ctx, params)
	if err != nil {
		return err
	}
	return a.Agent.Notify(ctx, method, params)
}

// route finds the agent process that a message of the editor is for.
func (all *Set) route(ctx context.Context, params jsontext.Value) (*agents.Process, jsontext.Value, error) {
	if id, ok := acp.StringOf(acp.Member(params, "sessionId")); ok {
		if s := all.Alias(id); s != nil {
			a, err := s.process(ctx)
			return a, s.routing.Inward(params), err
		}
	}
	a, err := all.connect(ctx)
	return a, params, err
}

// process is the agent process that knows the session, or is just loading it: what is said of the session meanwhile holds
// nothing else up.
func (s *Session) process(ctx context.Context) (*agents.Process, error) {
	if a := s.snap.read().loading; a != nil && !a.IsGone() {
		return a, nil
	}
	return s.attach(ctx)
}

// refused notes what an agent's refusal says of the sign-in. An editor that speaks ACP gets the refusal as it came.
func (all *Set) refused(a *agents.Process, err error) error {
	if errors.Is(err, agent.ErrSignedOut) {
		a.SetAuth(agents.AuthSignedOut)
	}
	return err
}

// CloseWith ends a session with the params of session/close or session/delete, and returns the agent's answer as it came.
func (all *Set) CloseWith(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	raw, err := all.CallAgent(ctx, method, params)
	id, _ := acp.StringOf(acp.Member(params, "sessionId"))
	s := all.Alias(id)
	if err != nil || s == nil {
		return raw, err
	}
	if at := s.snap.read(); at.agent != nil {
		at.agent.Unbind(at.Remote)
		at.agent.Retire()
	}
	s.unfollow()
	all.forget(s)
	if method == acp.MethodSessionDelete {
		if err := s.conversation.Delete(); err != nil {
			s.log.Warn().Err(err).Msg("a deleted session stays in the store")
		}
	}
	return raw, nil
}
