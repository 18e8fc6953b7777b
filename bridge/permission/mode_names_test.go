package permission

import (
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// TestAModeIsWhatItsNameSays: a name that says plan makes plan mode, and one that does not say autopilot makes none.
func TestAModeIsWhatItsNameSays(t *testing.T) {
	for name, c := range map[string]struct{ plan, autopilot bool }{
		"Plan": {true, false}, "Plan mode (preview)": {true, false}, "PLANNING": {true, false}, "Explan": {false, false},
		"Plan and run": {false, false}, "Autopilot": {false, true}, "Auto-pilot": {false, true}, "Careful": {false, false}, "": {false, false},
	} {
		f := Offer{Modes: &acp.SessionModeState{CurrentModeID: "two", AvailableModes: []acp.SessionMode{{ID: "two", Name: name}}}}
		if got := f.IsPlan("two"); got != c.plan {
			t.Errorf("%q: plan mode %v", name, got)
		}
		if got := f.namesAutopilot("two"); got != c.autopilot {
			t.Errorf("%q: autopilot %v", name, got)
		}
		if !f.IsPlan("x#plan") {
			t.Errorf("%q: the id of plan mode is not enough", name)
		}
	}
}

// TestTheLastChoiceOfAModeCounts: in whatever order the agent answers.
func TestTheLastChoiceOfAModeCounts(t *testing.T) {
	plan, other := func() *ModeChoice { return &ModeChoice{mode: "x#plan", plan: true} }, func() *ModeChoice { return &ModeChoice{mode: "x#agent"} }
	for name, c := range map[string]struct {
		steps func(h *PlanHold)
		on    bool
	}{
		"before the agent answers": {func(h *PlanHold) { h.Choose(plan()) }, true},
		"a refusal of plan mode":   {func(h *PlanHold) { p := plan(); h.Choose(p); h.Answered(p, false) }, false},
		"the answer to an earlier choice": {func(h *PlanHold) {
			h.Mode("x#plan")
			o, p := other(), plan()
			h.Choose(o)
			h.Choose(p)
			h.Answered(p, true)
			if !h.Answered(o, true) {
				t.Error("the earlier choice is said to have ended it")
			}
		}, true},
		"an earlier refusal": {func(h *PlanHold) {
			p, again := plan(), plan()
			h.Choose(p)
			h.Choose(again)
			h.Answered(p, false)
		}, true},
		"left last": {func(h *PlanHold) {
			p, o := plan(), other()
			h.Choose(p)
			h.Choose(o)
			h.Answered(o, true)
			h.Answered(p, false)
		}, false},
	} {
		var h PlanHold
		if c.steps(&h); h.On() != c.on {
			t.Errorf("%s: %+v", name, h)
		}
	}
}

// TestRulesThatRestrictReadsAreTold: only where there is one are the hard links looked for of a file that is read.
func TestRulesThatRestrictReadsAreTold(t *testing.T) {
	for _, c := range []struct {
		rule policy.Rule
		want bool
	}{
		{policy.Rule{Tool: policy.ToolRead, Path: "private/**", Decision: policy.Deny}, true},
		{policy.Rule{Tool: policy.ToolAny, Path: "private/**", Decision: policy.Ask}, true},
		{policy.Rule{Tool: policy.ToolRead, Path: "private/**", Decision: policy.Allow}, false},
		{policy.Rule{Tool: policy.ToolEdit, Path: "private/**", Decision: policy.Deny}, false},
	} {
		g := gateOf(t, t.TempDir())
		g.all.Rules.SetRules([]policy.Rule{c.rule})
		if got := g.all.Rules.RestrictReads(); got != c.want {
			t.Errorf("%+v: %v", c.rule, got)
		}
	}
}
