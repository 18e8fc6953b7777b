package session

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
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
	ans, err := s.put(ctx, in, "elicitation/create")
	if ctx.Err() != nil || errors.Is(err, errCrowd) {
		return &acp.CreateElicitationResponse{Action: &acp.ElicitationCancelAction{}}, nil
	}
	action, err := inputAction(in, ans, err)
	return &acp.CreateElicitationResponse{Action: action}, err
}

// errCrowd says that too many questions are open already.
var errCrowd = errors.New("too many questions are open; wait for their answers")

// put shows the user a form. It is counted among the questions that are open, and the status says that the user is waited for.
func (s *Session) put(ctx context.Context, in *InputRequest, name string) (InputAnswer, error) {
	ctx, leave, err := s.gate.Enter(ctx, policy.Request{Name: name})
	if err != nil {
		return InputAnswer{}, errCrowd
	}
	defer leave()
	ctx, asked, err := s.inOrder(ctx)
	if err != nil {
		return InputAnswer{}, err
	}
	defer asked()
	s.in.put(askingIn{in.Message})
	defer s.in.put(answeredIn{})
	return s.all.cfg.Editor.Input(ctx, in)
}

// input is put for the editor tools.
func (s *Session) input(ctx context.Context, message string, form *acp.ElicitationSchema) (host.Reply, error) {
	ans, err := s.put(ctx, &InputRequest{ID: s.all.cfg.NewID("i"), Session: s.ID, Message: message, Schema: form}, "ask")
	return host.Reply{Answered: ans.Action == InputAccept, Declined: ans.Action == InputDecline, Values: ans.Content}, err
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
