package permission

import (
	"context"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// TestRulesHoldForTheFolderOfACommand: a command that is allowed anywhere does not begin in a folder that rules keep from the
// agent, by whatever name; a folder of secrets asks. The same holds for a question of the agent's own.
func TestRulesHoldForTheFolderOfACommand(t *testing.T) {
	g := linkedGate(t, map[string]string{"w/private/x": "", "w/asks/x": "", "w/reads/x": "", "w/edits/x": "", "w/free/x": "", "w/.ssh/x": ""},
		map[string]string{"w/link": "private", "w/keys": ".ssh"})
	g.all.Rules.SetRules([]policy.Rule{
		{Tool: policy.ToolRead, Path: "private/**", Decision: policy.Deny}, {Tool: policy.ToolShell, Path: "asks/**", Decision: policy.Ask},
		{Tool: policy.ToolRead, Path: "reads/**", Decision: policy.Ask}, {Tool: policy.ToolEdit, Path: "edits/**", Decision: policy.Deny},
		{Tool: policy.ToolShell, Argv: policy.AllCommands, Decision: policy.Allow},
	})
	asked := 0
	g.AskUser = func(context.Context, *Question) (Answer, bool, error) {
		asked++
		return Answer{OptionID: OptOnce}, false, nil
	}
	kind := acp.ToolKindExecute
	for dir, want := range map[string]policy.Verdict{
		"": policy.Allow, "free": policy.Allow, "reads": policy.Allow, "edits": policy.Allow, "private": policy.Deny, "link": policy.Deny, "PRIVATE/../private": policy.Deny,
		"asks": policy.Ask, ".ssh": policy.Ask, "keys": policy.Ask,
	} {
		asked = 0
		_, err := g.PermitCommand(t.Context(), Command{Tool: "x", Argv: []string{"true"}, Cwd: filepath.Join(g.Cwd, dir)})
		if (err != nil) != (want == policy.Deny) || (asked > 0) != (want == policy.Ask) {
			t.Errorf("in %q: asked %d times, %v", dir, asked, err)
		}
		a := g.AgentQuestion(t.Context(), &acp.ToolCallUpdate{ToolCallID: "c", Kind: &kind, RawInput: []byte(`{"command":["true"],"cwd":` + strconv.Quote(filepath.Join(g.Cwd, dir)) + `}`)}, nil, nil, false)
		if d := g.Decide(&a.Request); d.Verdict != want {
			t.Errorf("the agent's own question in %q: %s, %s", dir, d.Verdict, d.Reason)
		}
	}
}
