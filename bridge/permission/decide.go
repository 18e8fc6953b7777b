package permission

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Refusal is something the bridge did not do because the rules or the user said no. It has two readers.
type Refusal struct {
	Reason string // for the model, which goes on with it
	User   string // for the user, one sentence, safe to be shown; "" where nothing is to be said but that it was refused
}

func (r *Refusal) Error() string { return r.Reason }

// Permit decides whether something may be done: by the rules, and where they say so by asking the user. A nil error is the
// only yes. The question is completed here; what it shows must be what will happen.
//
// The error is a *Refusal for a no. ctx ends with the turn: an answer that comes later is not heard.
func (g *Gate) Permit(ctx context.Context, r policy.Request, q *Question) error {
	_, _, err := g.permit(ctx, r, q)
	return err
}

// permit is Permit for a change that has parts to choose from. With a nil error y is the user's yes, nil where nobody was asked; it covers
// part of the change, or all of it where part is nil.
func (g *Gate) permit(ctx context.Context, r policy.Request, q *Question) (y *yes, part *Choice, err error) {
	defer func() {
		if p := recover(); p != nil {
			// The type only: the value may hold what was asked about.
			g.Log.Error().Str("panic", fmt.Sprintf("%T", p)).Bytes("stack", debug.Stack()).Msg("permission")
			y, part, err = nil, nil, g.refuse(r, policy.ByNobody, "the permission check failed, which is a bug in copilot-bridge")
		}
	}()
	for {
		d := g.Decide(&r)
		switch d.Verdict {
		case policy.Allow:
			g.Record(r, d, policy.ByRule)
			if g.Unasked != nil {
				g.Unasked(ctx, r.Tool)
			}
			return nil, nil, nil
		case policy.Ask:
		default:
			return nil, nil, g.refuse(r, policy.ByRule, d.Reason)
		}
		asking, leave, crowded := g.Enter(ctx, r)
		if crowded != nil {
			return nil, nil, crowded
		}
		defer leave()
		ctx = asking
		g.offers(q, r, d)
		ans, covered, err := g.askWhile(ctx, r, q)
		switch {
		case ctx.Err() != nil:
			_ = g.refuse(r, policy.ByNobody, "the turn was cancelled before there was an answer") // the model reads less
			return nil, nil, &Refusal{Reason: "cancelled by the user", User: "Cancelled"}
		case covered:
			continue
		case err != nil:
			return nil, nil, g.refuse(r, policy.ByNobody, "the question could not be asked: "+err.Error())
		}
		if ans.OptionID != "" && ans.OptionID != OptReject {
			if now := g.Decide(&r); now.Verdict == policy.Deny { // plan mode, a rule or the level, since it was asked
				return nil, nil, g.refuse(r, policy.ByRule, now.Reason)
			}
		}
		if part, err = g.answered(r, d, q, ans); err != nil {
			return nil, nil, err
		}
		return yesTo(d, q.unsaved), part, nil
	}
}

// offers puts into a question why it is asked and what can be answered.
func (g *Gate) offers(q *Question, r policy.Request, d policy.Decision) {
	q.Reason, q.must = d.Reason, d.Must
	if d.Usual {
		q.Reason = ""
	}
	if r.Odd != "" {
		q.Raw = withoutAlways(q.Raw)
	}
	always := ""
	if d.Remember {
		always = g.alwaysName(d.RememberAs, r)
	}
	q.Options = ownOptions(always)
	if len(q.Save) > 0 {
		q.Options = withSaving(q.Options)
	}
	if q.Raw == nil && g.offersSession(r) { // the agent's own question goes as it came
		q.Options = append(q.Options, sessionOption)
	}
}

// Decide is what the rules say of a request, which is completed with what the session adds to every one.
func (g *Gate) Decide(r *policy.Request) policy.Decision {
	g.complete(r)
	return g.all.Rules.Decide(*r)
}

func (g *Gate) complete(r *policy.Request) {
	r.Cwd, r.Home = g.Cwd, g.all.Home
	r.Plan, r.AllowAll, r.Untrusted, r.Level = g.Planning(), g.freed(), g.Untrusted(), g.levelNow()
}

// refuse puts a no on record.
func (g *Gate) refuse(r policy.Request, who policy.Who, why string) *Refusal {
	g.Record(r, policy.Decision{Verdict: policy.Deny, Reason: why}, who)
	return &Refusal{Reason: "refused: " + why, User: "Refused: " + escape.Inline(why)}
}

// answered is what an answer of the user's means, on record. Nothing but an option that was offered is a yes.
func (g *Gate) answered(r policy.Request, d policy.Decision, q *Question, ans Answer) (part *Choice, err error) {
	q.unsaved = ans.OptionID == OptUnsaved && q.offersOption(OptUnsaved)
	yes := ans.OptionID == OptOnce || ans.OptionID == OptAlways && d.Remember || ans.OptionID == OptSession && q.offersOption(OptSession) || q.unsaved
	if yes {
		if part, err = choose(q, ans); err != nil {
			return nil, g.refuse(r, policy.ByNobody, err.Error())
		}
	} else if ans.OptionID != OptReject && ans.OptionID != "" {
		return nil, g.refuse(r, policy.ByNobody, fmt.Sprintf("the editor answered %q, which was not offered", ans.OptionID))
	}
	if !yes || part != nil && !part.changes(q) {
		d.Verdict, d.Reason = policy.Deny, ans.because("declined this", d.Reason)
		g.Record(r, d, ans.Who())
		return nil, declined(ans)
	}
	how := "allowed this once"
	switch {
	case part != nil: // who looks at each part wants to be asked again: this is not remembered, whatever the option
		d.Reason += part.how()
	case q.unsaved:
		how = "allowed this once, without saving"
	case ans.OptionID == OptAlways:
		if err := g.all.Rules.Remember(d.RememberAs, q.Title); err != nil {
			g.Notice("allowed this once; it could not be remembered: " + err.Error())
		} else {
			how = "allowed this always"
			g.all.recheck(nil)
		}
	case ans.OptionID == OptSession:
		g.AllowEdits()
		how = "allowed edits in this session"
	}
	if len(q.Save) > 0 && !q.unsaved {
		how += ", with what is unsaved saved first"
	}
	d.Verdict, d.Reason = policy.Allow, ans.because(how, d.Reason)
	g.Record(r, d, ans.Who())
	return part, nil
}

// declined is the refusal after a no: what the model does with it, and what the user is shown of their own answer.
func declined(a Answer) *Refusal {
	if a.By == policy.ByNobody {
		return &Refusal{Reason: "This needs a permission, and there is nobody to ask for it. Nothing was changed or run.", User: "There was nobody to ask"}
	}
	if words := strings.TrimSpace(a.Words); words != "" {
		return &Refusal{Reason: "The user declined this and said: " + words, User: "You declined this: " + escape.Inline(words)}
	}
	return &Refusal{
		Reason: "The user declined this. Nothing was changed or run. Do not try it again in the same way; ask what they want instead or go on without it.",
		User:   "Rejected",
	}
}

// ask puts a question to the user, safe to be shown. [Gate.Permit] is the way to it.
func (g *Gate) ask(ctx context.Context, q *Question) (Answer, error) {
	ctx, leave, err := g.Enter(ctx, policy.Request{Name: q.Title})
	if err != nil {
		return Answer{}, err
	}
	defer leave()
	q.Present()
	q.Session = g.ID
	q.number(g.all.NewID("q"))
	ans, changed, err := g.AskUser(ctx, q)
	if err != nil || !changed || ans.OptionID == "" || ans.OptionID == OptReject {
		return ans, err
	}
	q.inOwnWords()
	q.number(g.all.NewID("q"))
	ans, _, err = g.AskUser(ctx, q)
	return ans, err
}

// Record puts a decision into the log.
func (g *Gate) Record(r policy.Request, d policy.Decision, who policy.Who) {
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
	g.all.Audit.Record(policy.Entry{Time: g.all.Now(), Session: g.ID, Tool: r.Tool, What: what, Verdict: d.Verdict, Why: d.Reason, Who: who})
}

// Same says why a target may not be used any more: while the user was asked, its name has come to mean another file
// (CVE-2026-21523).
func (g *Gate) Same(t Target) error {
	now, err := g.Resolve(t.Path)
	if err == nil && now.Real == t.Real && now.Outside == t.Outside && now.Dangling == t.Dangling && (now.Info == nil || now.Info.Mode().Type() == t.kind()) {
		return nil
	}
	return g.refuse(policy.Request{Name: t.Path}, policy.ByNobody, t.Path+" is not the same file any more as when it was asked about; nothing was done")
}
