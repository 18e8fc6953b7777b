package bridge

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"strings"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// The options of every question of ours. The safe one comes first; their ids are their kinds.
const (
	optReject = acp.PermissionOptionID("reject_once")
	optOnce   = acp.PermissionOptionID("allow_once")
	optAlways = acp.PermissionOptionID("allow_always")
)

// permit decides whether something may be done: by the rules, and where they say so by asking the person. A nil error
// is the only yes. The question is completed here; what it shows must be what will happen.
//
// The error is a *Refusal for a no. ctx ends with the turn: an answer that comes later is not heard.
func (s *Session) permit(ctx context.Context, r policy.Request, q Question) error {
	_, err := s.permitParts(ctx, r, q)
	return err
}

// permitParts is permit for a change that has parts to choose from. With a nil error the person's yes covers part of
// it, or all of it where part is nil.
func (s *Session) permitParts(ctx context.Context, r policy.Request, q Question) (part *choice, err error) {
	defer func() {
		if p := recover(); p != nil {
			// The type only: the value may hold what was asked about.
			s.log.Error().Str("panic", fmt.Sprintf("%T", p)).Bytes("stack", debug.Stack()).Msg("permission")
			part, err = nil, &Refusal{"refused: the permission check failed, which is a bug in copilot-bridge"}
			s.record(r, policy.Decision{Verdict: policy.Deny, Reason: err.Error()}, policy.ByNobody)
		}
	}()
	r = s.request(r)
	d := s.b.rules.Decide(r)
	switch d.Verdict {
	case policy.Allow:
		s.record(r, d, policy.ByRule)
		return nil, nil
	case policy.Ask:
	default:
		s.record(r, d, policy.ByRule)
		return nil, &Refusal{"refused: " + d.Reason}
	}
	q.Reason, q.must = d.Reason, d.Must
	q.Options = options(d.Remember)
	if r.Odd != "" {
		q.Raw = withoutAlways(q.Raw)
	}
	ans, err := s.ask(ctx, &q)
	if ctx.Err() != nil {
		d.Verdict, d.Reason = policy.Deny, "the turn was cancelled before there was an answer"
		s.record(r, d, policy.ByNobody)
		return nil, &Refusal{"cancelled by the user"}
	}
	if err != nil {
		d.Verdict, d.Reason = policy.Deny, "the question could not be asked: "+err.Error()
		s.record(r, d, policy.ByNobody)
		return nil, &Refusal{"refused: " + d.Reason}
	}
	return s.answered(r, d, &q, ans)
}

// request is r with what the session adds to every request.
func (s *Session) request(r policy.Request) policy.Request {
	r.Session, r.Cwd, r.Roots, r.Home = s.ID, s.Cwd, append([]string{s.Cwd}, s.Dirs...), s.b.home
	r.Plan, r.AllowAll, r.Untrusted = s.planning(), s.everything.on(), s.untrusted()
	return r
}

// answered is what an answer of the person's means, on record. Nothing but an option that was offered is a yes.
func (s *Session) answered(r policy.Request, d policy.Decision, q *Question, ans Answer) (part *choice, err error) {
	refuse := func(why string) (*choice, error) {
		s.record(r, policy.Decision{Verdict: policy.Deny, Reason: why}, policy.ByNobody)
		return nil, &Refusal{"refused: " + why}
	}
	switch {
	case ans.OptionID == optReject, ans.OptionID == "":
	case ans.OptionID == optOnce, ans.OptionID == optAlways && d.Remember:
		if part, err = choose(q, ans); err != nil {
			return refuse(err.Error())
		}
	default:
		return refuse(fmt.Sprintf("the editor answered %q, which was not offered", ans.OptionID))
	}
	how := "allowed this once"
	switch {
	case ans.OptionID == optReject, ans.OptionID == "", part != nil && len(part.taken) == 0:
		d.Verdict, d.Reason = policy.Deny, ans.because("declined this", d.Reason)
		s.record(r, d, ans.by())
		return nil, &Refusal{declined(ans)}
	case part != nil: // who looks at each part wants to be asked again: this is not remembered, whatever the option
		d.Reason += fmt.Sprintf(" (%d of %d parts were allowed)", len(part.taken), len(part.taken)+len(part.left))
	case ans.OptionID == optAlways:
		how = "allowed this for good"
		if err := s.b.rules.Remember(d.RememberAs, q.Title); err != nil {
			how = "allowed this once"
			s.b.out.push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "notice", Message: "allowed this once; it could not be remembered: " + err.Error()}})
		}
	}
	d.Verdict, d.Reason = policy.Allow, ans.because(how, d.Reason)
	s.record(r, d, ans.by())
	return part, nil
}

// declined is what the model reads after a no.
func declined(a Answer) string {
	if a.By == policy.ByNobody {
		return "This needs a permission, and there is nobody to ask for it. Nothing was changed or run."
	}
	if words := strings.TrimSpace(a.Words); words != "" {
		return "The user declined this and said: " + words
	}
	return "The user declined this. Nothing was changed or run. Do not try it again in the same way; ask what they want instead or go on without it."
}

func options(remember bool) []acp.PermissionOption {
	out := []acp.PermissionOption{
		{OptionID: optReject, Name: ownNames[acp.PermissionOptionKindRejectOnce], Kind: acp.PermissionOptionKindRejectOnce},
		{OptionID: optOnce, Name: ownNames[acp.PermissionOptionKindAllowOnce], Kind: acp.PermissionOptionKindAllowOnce},
	}
	if remember {
		out = append(out, acp.PermissionOption{OptionID: optAlways, Name: ownNames[acp.PermissionOptionKindAllowAlways], Kind: acp.PermissionOptionKindAllowAlways})
	}
	return out
}

// ask puts a question to the person and shows that the bridge waits for them.
func (s *Session) ask(ctx context.Context, q *Question) (Answer, error) {
	if s.b.cfg.Editor == nil {
		return Answer{}, errors.New("there is nobody to ask")
	}
	q.present()
	q.ID, q.Session, q.Turn = s.b.newID("q"), s.ID, turnOf(ctx)
	q.number()
	if q.ToolCall == nil {
		title := q.Title
		q.ToolCall = &acp.ToolCallUpdate{ToolCallID: callOf(ctx, q.ID), Title: &title}
	}
	s.in.put(askingIn{q.Title})
	defer s.in.put(askedIt{})
	if !s.b.speaksACP() {
		return s.b.cfg.Editor.Ask(ctx, q)
	}
	w := &watch{shown: acp.ToolCallUpdate{ToolCallID: q.ToolCall.ToolCallID, Title: q.ToolCall.Title}}
	if q.Raw != nil && q.served.watch != nil {
		w = q.served.watch // since the question came
	} else {
		s.in.put(watchIn{w})
		defer w.end()
	}
	ans, err := s.b.cfg.Editor.Ask(ctx, q)
	s.settled(ctx)
	if err != nil || ans.OptionID == "" || ans.OptionID == optReject || !w.turned.Load() {
		return ans, err
	}
	if q.served != nil {
		q.served.picked, q.served.answer = acp.PermissionOption{}, nil
	}
	// Once more in the bridge's words, as a call of which the agent knows no id.
	title := q.Title
	q.Raw, q.served, q.ID = nil, nil, s.b.newID("q")
	q.ToolCall = &acp.ToolCallUpdate{ToolCallID: acp.ToolCallID(q.ID), Title: &title}
	q.Notes = append(q.Notes, "the agent changed what it says of this while you were asked")
	q.number()
	return s.b.cfg.Editor.Ask(ctx, q)
}

// callOf is the ACP tool call that a tool of ours runs in; both are announced on different connections, so it may take
// a moment to be known. If it never is, the question's own id stands in.
func callOf(ctx context.Context, fallback string) acp.ToolCallID {
	use, ok := ctx.Value(useKey{}).(*toolUse)
	if !ok {
		return acp.ToolCallID(fallback)
	}
	timer := time.NewTimer(matchWait)
	defer timer.Stop()
	select {
	case id := <-use.found:
		use.found <- id // for the next question of this call
		return id
	case <-timer.C:
	case <-ctx.Done():
	}
	return acp.ToolCallID(fallback)
}

// useKey is where a context carries the call of our tool that it belongs to.
type useKey struct{}

func (s *Session) record(r policy.Request, d policy.Decision, who policy.Who) {
	what := r.Name
	for _, p := range r.Paths {
		what += " " + p.Given
	}
	if len(r.Argv) > 0 {
		what += " " + fmt.Sprintf("%q", r.Argv)
	}
	for _, v := range r.Env {
		what += " with " + policy.EnvVar{Name: v.Name, Value: escape.RedactValues(v.Value, escape.SecretValues([]string{v.Name + "=" + v.Value}))}.String()
	}
	s.b.audit.Record(policy.Entry{Time: s.b.now(), Session: s.ID, Tool: r.Tool, What: what, Verdict: d.Verdict, Why: d.Reason, Who: who})
}

func (s *Session) planning() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.plan
}

// refuseInPlan is the answer to a tool that changes something in plan mode, which Copilot itself does not enforce for
// tools like ours.
func (s *Session) refuseInPlan(tool string, kind policy.Tool, what string) error {
	s.record(policy.Request{Tool: kind, Name: tool + " " + what}, policy.Decision{Verdict: policy.Deny, Reason: "plan mode"}, policy.ByRule)
	return errPlan
}

// typeOf is what kind of thing a target was; what was not there becomes a file. An editor that is asked to read a pipe waits.
func typeOf(t target) fs.FileMode {
	if t.Info == nil {
		return 0
	}
	return t.Info.Mode().Type()
}

// same says why a target may not be used any more: while the person was asked, its name has come to mean another file
// (CVE-2026-21523).
func (s *Session) same(t target) error {
	now, err := s.resolve(t.Path)
	if err == nil && now.Real == t.Real && now.outside == t.outside && now.Dangling == t.Dangling && (now.Info == nil || now.Info.Mode().Type() == typeOf(t)) {
		return nil
	}
	why := fmt.Sprintf("%s is not the same file any more as when it was asked about; nothing was done", t.Path)
	s.record(policy.Request{Name: t.Path}, policy.Decision{Verdict: policy.Deny, Reason: why}, policy.ByNobody)
	return &Refusal{"refused: " + why}
}
