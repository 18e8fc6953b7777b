package session

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// requestPermission is ACP v1 session/request_permission: the agent asks about a tool of its own. Our rules and our
// user decide; the agent is only ever told "once", because an allow_always opens every later write of its session
// (Copilot CLI 1.0.102). known is what it has said of the tool call before. An editor that speaks the agent's protocol is
// asked in the agent's own words, and its answer goes back as it came where it is the one that the agent gets.
func (s *Session) requestPermission(ctx context.Context, p *acp.RequestPermissionRequest, known *acp.ToolCallUpdate) any {
	resp := &acp.RequestPermissionResponse{Outcome: &acp.CancelledPermissionOutcome{}}
	ctx, leave, err := s.gate.Enter(ctx, policy.Request{Name: "session/request_permission"}) // before any work is done on it
	if err != nil {
		return resp
	}
	defer leave()
	if id, refused := s.gate.RefuseWithoutYes(p.Options); refused {
		if id != "" {
			resp.Outcome = &acp.SelectedPermissionOutcome{OptionID: id}
		}
		return resp
	}
	r := servedOf(ctx)
	asItCame := r != nil && s.all.cfg.SpeaksACP
	var raw jsontext.Value
	if r != nil {
		raw = acp.Member(r.req.Params(), "toolCall")
	}
	a := s.gate.AgentQuestion(ctx, &p.ToolCall, raw, known, asItCame && r.stale)
	s.host.Asking(ctx, a)
	if asItCame {
		a.Shown.InAgentsWords(s.routing.OutwardParams(r.req.Params()))
	}
	no := permission.AsShown(func() error {
		if err := s.gate.PermitAsked(ctx, a); err != nil {
			return err
		}
		if err := s.host.SaveAsked(ctx, a); err != nil {
			return err
		}
		return s.gate.StartsAsked(a) // the agent acts once it hears the yes
	})
	if no != nil && !s.all.cfg.SpeaksACP { // there the call is as the agent tells it
		s.in.put(refusedIn{id: p.ToolCall.ToolCallID, why: host.ForUser(no)})
	}
	if id, yes := a.Shown.Outcome(p.Options, no == nil); id != "" && ctx.Err() == nil {
		resp.Outcome = &acp.SelectedPermissionOutcome{OptionID: id}
		if yes {
			s.allowed(ctx, a)
		}
	}
	return a.Shown.AsAnswered(resp)
}

// allowed notes what a yes covers, for the request that carries it out and for the check at the end of the turn.
func (s *Session) allowed(ctx context.Context, a *permission.Asked) {
	s.gate.Issue(turnOf(ctx), a)
	switch a.Request.Tool {
	case policy.ToolEdit:
		for _, t := range a.Targets {
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
