package acpfront

import (
	"context"

	"github.com/go-json-experiment/json"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// CanAsk implements [session.Asker]: an editor that has ACP's forms can be asked. A permission question in its place would not be
// honest: its options are a yes and a no, and are shown as such.
func (e editor) CanAsk() bool {
	c := e.s.capabilities().Elicitation
	return c != nil && c.Form != nil
}

// Input shows a form by elicitation/create (ACP v1). It is for the bridge's own questions: the agent's are passed on as they come.
func (e editor) Input(ctx context.Context, in *bridge.InputRequest) (bridge.InputAnswer, error) {
	s := e.s
	b, err := s.bridge()
	if err != nil {
		return bridge.InputAnswer{}, err
	}
	if !e.CanAsk() || in.Schema == nil {
		return bridge.InputAnswer{}, bridge.ErrUnsupported
	}
	params, err := acp.Marshal(&acp.CreateElicitationRequest{
		Message: in.Message, Mode: &acp.ElicitationFormMode{RequestedSchema: *in.Schema},
		Scope: &acp.ElicitationSessionScope{SessionID: acp.SessionID(b.AliasFor(in.Session))},
	})
	if err != nil {
		return bridge.InputAnswer{}, err
	}
	raw, err := s.ask(ctx, b, acp.MethodElicitationCreate, in.Session, params, nil)
	if err != nil {
		return bridge.InputAnswer{}, err
	}
	var resp acp.CreateElicitationResponse
	if err := acp.UnmarshalStrict(raw, &resp); err != nil {
		return bridge.InputAnswer{}, err // what is not understood is no answer
	}
	switch a := resp.Action.(type) {
	case *acp.ElicitationAcceptAction:
		ans := bridge.InputAnswer{Action: bridge.InputAccept, Content: map[string]any{}}
		for name, v := range a.Content {
			var value any
			if err := json.Unmarshal(v, &value); err != nil {
				return bridge.InputAnswer{}, err
			}
			ans.Content[name] = value
		}
		return ans, nil
	case *acp.ElicitationDeclineAction:
		return bridge.InputAnswer{Action: bridge.InputDecline}, nil
	}
	return bridge.InputAnswer{Action: bridge.InputCancel}, nil
}
