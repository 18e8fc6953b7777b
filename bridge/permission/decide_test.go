package permission

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// TestADecisionIsAYesARefusalOrAQuestion: nothing but an option that was offered is a yes, whatever goes wrong with the answer.
func TestADecisionIsAYesARefusalOrAQuestion(t *testing.T) {
	command := func(argv ...string) policy.Request {
		return policy.Request{Tool: policy.ToolShell, Name: "x", Argv: argv}
	}
	for name, c := range map[string]struct {
		request policy.Request
		ask     func(*Question) (Answer, bool, error)
		asked   int
		refused string // "" for a yes
	}{
		"a rule that allows":  {command("go", "vet"), nil, 0, ""},
		"a rule that denies":  {command("rm"), nil, 0, "refused: "},
		"plan mode":           {policy.Request{Tool: policy.ToolEdit, Name: "x"}, nil, 0, "plan mode"},
		"once":                {command("ls"), func(*Question) (Answer, bool, error) { return Answer{OptionID: OptOnce}, false, nil }, 1, ""},
		"no":                  {command("ls"), func(*Question) (Answer, bool, error) { return Answer{OptionID: OptReject}, false, nil }, 1, "declined"},
		"closed":              {command("ls"), func(*Question) (Answer, bool, error) { return Answer{}, false, nil }, 1, "declined"},
		"an option of nobody": {command("ls"), func(*Question) (Answer, bool, error) { return Answer{OptionID: "y"}, false, nil }, 1, "not offered"},
		"an error and a yes":  {command("ls"), func(*Question) (Answer, bool, error) { return Answer{OptionID: OptOnce}, false, errors.New("gone") }, 1, "could not be asked"},
		"a panic":             {command("ls"), func(*Question) (Answer, bool, error) { panic("secret") }, 1, "bug"},
		"parts of no question": {command("ls"), func(*Question) (Answer, bool, error) {
			return Answer{OptionID: OptOnce, Hunks: []string{"x"}}, false, nil
		}, 1, "not offered"},
		"always, not offered": {policy.Request{Tool: policy.ToolShell, Name: "x", Argv: []string{"ls"}, Odd: "unclear"},
			func(*Question) (Answer, bool, error) { return Answer{OptionID: OptAlways}, false, nil }, 1, "not offered"},
		"the agent changes its words": {command("ls"), func(q *Question) (Answer, bool, error) {
			if q.Raw != nil {
				q.Chose(acp.PermissionOption{OptionID: "y", Kind: acp.PermissionOptionKindAllowOnce}, jsontext.Value(`{}`))
				return Answer{OptionID: OptOnce}, true, nil
			}
			return Answer{OptionID: OptReject}, true, nil
		}, 2, "declined"},
	} {
		t.Run(name, func(t *testing.T) {
			g := gateOf(t, t.TempDir())
			g.all.Rules.SetRules([]policy.Rule{
				{Tool: policy.ToolShell, Argv: []string{"go", "vet"}, Decision: policy.Allow}, {Tool: policy.ToolShell, Argv: []string{"rm"}, Decision: policy.Deny},
			})
			if name == "plan mode" {
				g.Reported(PlanHold{mode: "plan"}, nil, nil)
			}
			asked := 0
			g.AskUser = func(_ context.Context, q *Question) (Answer, bool, error) {
				asked++
				if q.ID == "" || (q.Reason == "") != (c.request.Odd == "") || q.Options[0].OptionID != OptReject {
					t.Errorf("the question is %+v", q)
				}
				return c.ask(q)
			}
			q := &Question{Title: "Run it", Raw: jsontext.Value(`{"options":[]}`)}
			c.request.CommandDir = g.Cwd
			err := g.Permit(t.Context(), c.request, q)
			if asked != c.asked || (err == nil) != (c.refused == "") || err != nil && !strings.Contains(err.Error(), c.refused) {
				t.Errorf("asked %d times: %v", asked, err)
			}
			if err != nil && (!errors.As(err, new(*Refusal)) || strings.Contains(err.Error(), "secret")) {
				t.Errorf("%T: %v", err, err)
			}
			if c.asked == 2 {
				if id, yes := q.Outcome([]acp.PermissionOption{{OptionID: "y", Kind: acp.PermissionOptionKindAllowOnce}}, false); id != "" || yes {
					t.Errorf("the agent hears %q of what was answered before", id)
				}
			}
		})
	}
}

// TestAYesThatARuleHasOvertakenIsNone: what is denied when the answer comes is denied, for good too, and a no stays the user's.
func TestAYesThatARuleHasOvertakenIsNone(t *testing.T) {
	for _, c := range []struct {
		answer acp.PermissionOptionID
		says   string
	}{{OptOnce, "refused: "}, {OptAlways, "refused: "}, {OptReject, "declined"}} {
		g := gateOf(t, t.TempDir())
		g.AskUser = func(context.Context, *Question) (Answer, bool, error) {
			g.all.Rules.SetRules([]policy.Rule{{Tool: policy.ToolShell, Argv: []string{"ls"}, Decision: policy.Deny}})
			return Answer{OptionID: c.answer}, false, nil
		}
		r := policy.Request{Tool: policy.ToolShell, Name: "x", Argv: []string{"ls"}, CommandDir: g.Cwd}
		if err := g.Permit(t.Context(), r, &Question{Title: "Run ls"}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.answer, err)
		}
	}
}

// TestACancelledQuestionIsNoYes: an answer that comes after the end of the turn is not heard.
func TestACancelledQuestionIsNoYes(t *testing.T) {
	g := gateOf(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	g.AskUser = func(context.Context, *Question) (Answer, bool, error) {
		cancel()
		return Answer{OptionID: OptOnce}, false, nil
	}
	r := policy.Request{Tool: policy.ToolShell, Name: "x", Argv: []string{"ls"}, CommandDir: g.Cwd}
	if err := g.Permit(ctx, r, &Question{Title: "Run ls"}); err == nil || !strings.Contains(err.Error(), "cancelled") {
		t.Error(err)
	}
}

// TestPlanModeHoldsUntilTheUserLeavesIt: what the agent says of its mode does not end it, and the user is told once.
func TestPlanModeHoldsUntilTheUserLeavesIt(t *testing.T) {
	var h PlanHold
	if h.Mode("x#agent") != "x#agent" || h.On() {
		t.Error("held without plan mode")
	}
	h.Mode("x#plan")
	if h.Mode("x#agent") != "x#plan" || h.Shown() != "x#plan" || !h.Denied("x#agent") || h.Denied("x#agent") {
		t.Errorf("the agent left by itself: %+v", h)
	}
	leave := &ModeChoice{mode: "x#agent"}
	h.Choose(leave)
	if h.Mode("x#agent") != "x#agent" || !h.On() || h.Shown() != "" {
		t.Errorf("while the user leaves: %+v", h)
	}
	if !h.Answered(leave, false) || h.Mode("x#agent") != "x#plan" {
		t.Errorf("the agent refused: %+v", h)
	}
	h.Choose(leave)
	if h.Answered(leave, true) || h.On() {
		t.Errorf("the user has left: %+v", h)
	}
}
