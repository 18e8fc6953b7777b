package bridge

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
)

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
			if l := s.wire.loads.Load(); l != nil && !l.isGone() {
				return l, s.wire.inward(params), nil // what the editor says of it meanwhile holds nothing else up
			}
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
	if method == acp.MethodSessionDelete {
		if err := s.conversation.Delete(); err != nil {
			s.log.Warn().Err(err).Msg("a deleted session stays in the store")
		}
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
	done := s.chooses(acp.SessionConfigID(option), chosen)
	raw, err := b.CallAgent(ctx, method, params)
	done(err == nil)
	if err != nil {
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
	s.settled(ctx)
	return s.gate.Answer(raw), nil
}
