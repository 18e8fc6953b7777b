package bridge

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
)

// spelled is an agent that does not speak ACP itself, as an editor that does needs it: its calls and answers spelled out.
type spelled struct{ agent Agent }

// CallRaw implements [RawAgent].
func (a spelled) CallRaw(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	switch method {
	case acp.MethodSessionNew:
		return spell(ctx, method, params, a.agent.NewSession)
	case acp.MethodSessionLoad:
		return spell(ctx, method, params, a.agent.LoadSession)
	case acp.MethodSessionList:
		return spell(ctx, method, params, a.agent.ListSessions)
	case acp.MethodSessionPrompt:
		return spell(ctx, method, params, a.agent.Prompt)
	case acp.MethodSessionSetConfigOption:
		return spell(ctx, method, params, a.agent.SetConfigOption)
	case acp.MethodSessionSetMode:
		return spell(ctx, method, params, func(ctx context.Context, r *acp.SetSessionModeRequest) (*acp.SetSessionModeResponse, error) {
			return &acp.SetSessionModeResponse{}, a.agent.SetMode(ctx, r)
		})
	case acp.MethodSessionClose:
		return spell(ctx, method, params, func(ctx context.Context, r *acp.CloseSessionRequest) (*acp.CloseSessionResponse, error) {
			return &acp.CloseSessionResponse{}, a.agent.CloseSession(ctx, r.SessionID)
		})
	}
	return nil, &acp.Error{Code: acp.CodeMethodNotFound, Message: a.agent.Info().Title + " has no " + method}
}

// NotifyRaw implements [RawAgent]. ACP v1: unknown notifications are ignored.
func (a spelled) NotifyRaw(ctx context.Context, method string, params jsontext.Value) error {
	id, ok := acp.StringOf(acp.Member(params, "sessionId"))
	if method != acp.MethodSessionCancel || !ok {
		return nil
	}
	return a.agent.Cancel(ctx, acp.SessionID(id))
}

func spell[P, R any](ctx context.Context, method string, params jsontext.Value, f func(context.Context, *P) (*R, error)) (jsontext.Value, error) {
	p := new(P)
	if err := acp.Unmarshal(params, p); err != nil {
		return nil, &acp.Error{Code: acp.CodeInvalidParams, Message: method + ": " + err.Error()}
	}
	r, err := f(ctx, p)
	if err != nil {
		return nil, err
	}
	return acp.Marshal(r)
}

// introduced is what an agent answers to initialize, made from what is known of it.
func introduced(i agent.Info) (jsontext.Value, error) {
	title := i.Title
	return acp.Marshal(&acp.InitializeResponse{
		ProtocolVersion: acp.ProtocolVersion(i.Protocol), AgentCapabilities: i.Capabilities, AuthMethods: i.AuthMethods,
		AgentInfo: &acp.Implementation{Name: i.Name, Title: &title, Version: i.Version},
	})
}
