package session

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// elicit is ACP v1 elicitation/create. Where the editor cannot ask, the bridge declines for the user; a cancelled turn
// cancels. A url is only shown, never opened here.
func (s *Session) elicit(ctx context.Context, p *acp.CreateElicitationRequest) (any, error) {
	in := &InputRequest{ID: s.all.cfg.NewID("i"), Session: s.ID, Message: escape.Text(p.Message)}
	switch mode := p.Mode.(type) {
	case *acp.ElicitationFormMode:
		in.Schema = &mode.RequestedSchema
	case *acp.ElicitationURLMode:
		in.URL = mode.URL
	default:
		return nil, &acp.Error{Code: acp.CodeInvalidParams, Message: "elicitation/create: this mode was not advertised"}
	}
	ctx, leave, err := s.gate.Enter(ctx, policy.Request{Name: "elicitation/create"})
	if err != nil {
		return &acp.CreateElicitationResponse{Action: &acp.ElicitationCancelAction{}}, nil
	}
	defer leave()
	ans, err := s.all.cfg.Editor.Input(ctx, in)
	if ctx.Err() != nil {
		return &acp.CreateElicitationResponse{Action: &acp.ElicitationCancelAction{}}, nil
	}
	action, err := inputAction(in, ans, err)
	return &acp.CreateElicitationResponse{Action: action}, err
}

func inputAction(in *InputRequest, ans InputAnswer, err error) (acp.ElicitationAction, error) {
	switch {
	case errors.Is(err, ErrUnsupported):
		return &acp.ElicitationDeclineAction{}, nil
	case err != nil || ans.Action == InputCancel:
		return &acp.ElicitationCancelAction{}, nil
	case ans.Action != InputAccept:
		return &acp.ElicitationDeclineAction{}, nil
	case in.Schema == nil:
		return &acp.ElicitationAcceptAction{}, nil
	}
	content := map[string]acp.ElicitationContentValue{}
	for name, v := range ans.Content {
		raw, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		content[name] = acp.ElicitationContentValue(raw)
	}
	return &acp.ElicitationAcceptAction{Content: content}, nil
}
