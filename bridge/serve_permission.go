package bridge

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// requestPermission is ACP v1 session/request_permission: the agent asks about a tool of its own. Our rules and our
// person decide; the agent is only ever told "once", because an allow_always opens every later write of its session
// (Copilot CLI 1.0.102). known is what it has said of the tool call before.
func (s *Session) requestPermission(ctx context.Context, p *acp.RequestPermissionRequest, known *acp.ToolCallUpdate) *acp.RequestPermissionResponse {
	cancelled := &acp.RequestPermissionResponse{Outcome: &acp.CancelledPermissionOutcome{}}
	a := s.agentQuestion(ctx, &p.ToolCall, known)
	s.asking(ctx, a.targets)
	asked := s.asItCame(ctx, &a.shown)
	err := s.permit(ctx, a.request, a.shown)
	for _, t := range a.targets {
		if err == nil {
			err = s.same(t)
		}
	}
	if ctx.Err() != nil {
		return cancelled
	}
	kind := acp.PermissionOptionKindAllowOnce
	if err != nil {
		kind = acp.PermissionOptionKindRejectOnce
	}
	picked := asked.picked
	switch picked.Kind {
	case closedUnanswered:
		return cancelled
	case acp.PermissionOptionKindRejectOnce, acp.PermissionOptionKindRejectAlways:
		return &acp.RequestPermissionResponse{Outcome: &acp.SelectedPermissionOutcome{OptionID: picked.OptionID}}
	}
	for _, o := range p.Options {
		if o.Kind != kind || picked.Kind == kind && picked.OptionID != o.OptionID {
			continue
		}
		if err == nil {
			s.allowed(ctx, a)
		}
		return &acp.RequestPermissionResponse{Outcome: &acp.SelectedPermissionOutcome{OptionID: o.OptionID}}
	}
	return cancelled // an agent that offers no "once" gets no answer it could take for "always"
}

// allowed notes what a yes covers, for the request that carries it out and for the check at the end of the turn.
func (s *Session) allowed(ctx context.Context, a *asked) {
	s.issue(ctx, a.covers)
	switch a.request.Tool {
	case policy.ToolEdit:
		for _, t := range a.targets {
			s.approvals.File(t.Real)
		}
	case policy.ToolShell, policy.ToolMCP: // what these change cannot be told
		s.approvals.Command()
	}
}

// askedCall is the tool call that a request asks about, nil if it is about none.
func askedCall(req *acp.Request) *acp.ToolCallUpdate {
	var p acp.RequestPermissionRequest
	if req.Method() != acp.MethodSessionRequestPermission || acp.Unmarshal(req.Params(), &p) != nil {
		return nil // what cannot be read is refused when it is read in earnest
	}
	return &p.ToolCall
}
