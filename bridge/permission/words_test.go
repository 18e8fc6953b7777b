package permission

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// TestARuleWithAStarFollowsLinks: what the words of a command lead to counts, by links and hard links, from the folder that the
// command runs in; the same for a command of the bridge's tools and for a question of the agent's own.
func TestARuleWithAStarFollowsLinks(t *testing.T) {
	g := linkedGate(t, map[string]string{
		"out/s": "SECRET", "out/d/s": "", "w/a.txt": "", "w/b.txt": "", "w/.env": "T=1", "w/.git/config": "", "w/sub/.env": "", "w/sub/a.txt": "", "w/private/x": "", "w/infra/x": "",
	}, map[string]string{
		"w/notes.txt": "../out/s", "w/lk": "../out", "w/envlink": ".env", "w/inner": "a.txt", "w/sub/up": "../../out/s", "w/gitlink": ".git/config", "w/gone": "../out/none",
		"w/gone-in": "none", "w/private-link": "private/x", "w/hooks": ".git", "w/.vscode": "sub",
	})
	hard := func(from, to string) {
		t.Helper()
		if err := os.Link(filepath.Join(filepath.Dir(g.Cwd), from), filepath.Join(g.Cwd, to)); err != nil {
			t.Fatal(err)
		}
	}
	hard("w/.env", "hard-secret")
	hard("w/.git/config", "hard-control")
	hard("out/s", "hard-outside")
	hard("w/b.txt", "hard-inside")
	g.all.Rules.SetRules([]policy.Rule{
		{Tool: policy.ToolRead, Path: "private/**", Decision: policy.Deny}, {Tool: policy.ToolEdit, Path: "infra/**", Decision: policy.Deny},
		{Tool: policy.ToolShell, Command: "cat *", Decision: policy.Allow}, {Tool: policy.ToolShell, Command: "go test *", Decision: policy.Allow},
		{Tool: policy.ToolShell, Command: "uniq *", Decision: policy.Allow},
	})
	asked := 0
	g.AskUser = func(context.Context, *Question) (Answer, bool, error) {
		asked++
		return Answer{}, false, nil
	}
	kind := acp.ToolKindExecute
	for _, c := range []struct {
		line, dir string
		free      bool
	}{
		{"cat a.txt", "", true}, {"cat inner b.txt", "", true}, {"cat hard-inside", "", true}, {"cat gone-in", "", true}, {"cat " + filepath.Join(g.Cwd, "a.txt"), "", true},
		{"go test ./...", "", true}, {"go test -race infra/...x", "", false}, {"uniq a.txt", "", true}, {"uniq inner", "", true},
		{"cat notes.txt", "", false}, {"cat lk/s", "", false}, {"cat lk/d/s", "", false}, {"cat envlink", "", false}, {"cat gitlink", "", false}, {"cat gone", "", false}, {"cat hooks/config", "", false},
		{"cat hard-secret", "", false}, {"cat hard-control", "", false}, {"cat hard-outside", "", false}, {"cat private/x", "", false}, {"cat private-link", "", false}, {"cat infra/x", "", false},
		{"cat a.txt notes.txt", "", false}, {"cat xx:notes.txt", "", false}, {"cat up", "sub", false}, {"cat .env", "sub", false}, {"cat x", "infra", false},
		{"cat " + filepath.Join(filepath.Dir(g.Cwd), "out/s"), "", false}, {"cat sub/a.txt", "", false}, // .vscode leads there
		{"uniq a.txt b.txt", "", false}, {"uniq inner new", "", false}, {"go test -v=lk", "", false}, {"go test -count=inner", "", false},
	} {
		for _, argv := range [][]string{{"bash", "-c", c.line}, strings.Fields(c.line)} {
			asked = 0
			_, err := g.PermitCommand(t.Context(), Command{Tool: "x", Argv: argv, Cwd: filepath.Join(g.Cwd, c.dir)})
			if (asked == 0) != c.free || (err == nil) != c.free {
				t.Errorf("%q in %q: asked %d times, %v", argv, c.dir, asked, err)
			}
		}
		a := g.AgentQuestion(t.Context(), &acp.ToolCallUpdate{ToolCallID: "c", Kind: &kind,
			RawInput: []byte(`{"command":` + strconv.Quote(c.line) + `,"cwd":` + strconv.Quote(filepath.Join(g.Cwd, c.dir)) + `}`)}, nil, nil, false)
		if d := g.Decide(&a.Request); (d.Verdict == policy.Allow) != c.free {
			t.Errorf("the agent's own question about %q in %q: %s, %s", c.line, c.dir, d.Verdict, d.Reason)
		}
	}
}
