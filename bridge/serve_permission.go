package bridge

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

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

// mergeCall is a tool call as a question and the updates before it tell it. What the question says counts, but it
// cannot take back what the rules look at: places and changes add up.
func mergeCall(known, asked *acp.ToolCallUpdate) *acp.ToolCallUpdate {
	if known == nil {
		return asked
	}
	out := *asked
	if out.Kind == nil {
		out.Kind = known.Kind
	}
	if out.Title == nil {
		out.Title = known.Title
	}
	if len(out.RawInput) == 0 {
		out.RawInput = known.RawInput
	}
	out.Locations = append(append([]acp.ToolCallLocation(nil), known.Locations...), asked.Locations...)
	paths, all := callPaths(nil, known.Content)
	if !all || !hasDiff(out.Content) { // what is too much together is too much
		out.Content = append(append([]acp.ToolCallContent(nil), known.Content...), asked.Content...)
		return &out
	}
	for _, path := range paths { // a file whose change it has shown before
		out.Locations = append(out.Locations, acp.ToolCallLocation{Path: path})
	}
	return &out
}

// askedCall is the tool call that a request asks about, nil if it is about none.
func askedCall(req *acp.Request) *acp.ToolCallUpdate {
	var p acp.RequestPermissionRequest
	if req.Method() != acp.MethodSessionRequestPermission || acp.Unmarshal(req.Params(), &p) != nil {
		return nil // what cannot be read is refused when it is read in earnest
	}
	return &p.ToolCall
}

// closedUnanswered is the kind of what was picked where the user was asked and picked nothing.
const closedUnanswered acp.PermissionOptionKind = "closed"

// asItCame has the editor asked in the agent's own words, where it speaks the agent's protocol and they say what is meant.
func (s *Session) asItCame(ctx context.Context, q *Question) *served {
	r := servedOf(ctx)
	if r == nil || !s.b.speaksACP() {
		return new(served)
	}
	raw, notes := namedByKind(s.outwardParams(r.req.Params()))
	q.Raw, q.served = raw, r
	q.Notes = append(q.Notes, notes...)
	if q.otherwise {
		q.Raw = corrected(q.Raw, q.Diffs)
	}
	return r
}

// corrected is a question of the agent's with the changes as they would happen in place of those that it shows.
func corrected(params jsontext.Value, diffs []FileDiff) jsontext.Value {
	call := acp.Member(params, "toolCall")
	var items []jsontext.Value
	if json.Unmarshal(acp.Member(call, "content"), &items, jsontext.AllowInvalidUTF8(true)) != nil {
		items = nil
	}
	items = slices.DeleteFunc(items, func(item jsontext.Value) bool {
		kind, _ := acp.StringOf(acp.Member(item, "type"))
		return kind == "diff"
	})
	for _, c := range diffContent(diffs) {
		if item, err := acp.Marshal(c); err == nil {
			items = append(items, item)
		}
	}
	content, err := json.Marshal(items, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return params
	}
	return acp.SetMember(params, "toolCall", acp.SetMember(call, "content", content))
}

// asAnswered is the editor's answer as it came, where it is the one that the agent gets.
func asAnswered(ctx context.Context, resp *acp.RequestPermissionResponse) any {
	r := servedOf(ctx)
	var theirs acp.RequestPermissionResponse
	if r == nil || r.answer == nil || acp.Unmarshal(r.answer, &theirs) != nil {
		return resp
	}
	ours, _ := resp.Outcome.(*acp.SelectedPermissionOutcome)
	chosen, _ := theirs.Outcome.(*acp.SelectedPermissionOutcome)
	if ours == nil && chosen == nil || ours != nil && chosen != nil && ours.OptionID == chosen.OptionID {
		return r.answer
	}
	return resp
}
