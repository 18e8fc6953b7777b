package permission

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// TestAToolThatNamesWhatAsksAsksAtEveryLevel: of a tool of somebody else it is not known what it does, so what it names counts,
// whatever the member is called, by every name of the file.
func TestAToolThatNamesWhatAsksAsksAtEveryLevel(t *testing.T) {
	g := linkedGate(t, map[string]string{
		"out/s": "", "w/a.txt": "", "w/.env": "", "w/.git/config": "", "w/cfg/x": "", "w/sub/a": "", "w/infra/x": "", "w/private/x": "", "home/x": "",
	}, map[string]string{"w/lk": "../out", "w/notes.txt": "../out/s", "w/.vscode": "cfg", "w/plain": "a.txt"})
	if err := os.Link(filepath.Join(g.Cwd, ".env"), filepath.Join(g.Cwd, "hard")); err != nil {
		t.Fatal(err)
	}
	g.all.Home = filepath.Join(filepath.Dir(g.Cwd), "home")
	rules := []policy.Rule{{Tool: policy.ToolEdit, Path: "infra/**", Decision: policy.Deny}, {Tool: policy.ToolRead, Path: "private/**", Decision: policy.Ask}}
	outside := filepath.ToSlash(filepath.Join(filepath.Dir(g.Cwd), "out", "s"))
	for input, want := range map[string]policy.Verdict{
		``: policy.Allow, `{}`: policy.Allow, `{"query":"copy (select 1) to program 'id'"}`: policy.Allow, `{"n":5,"title":"a.txt and sub/a"}`: policy.Allow,
		`{"url":"https://example.org/a/.git/config"}`: policy.Allow, `{"to":"plain"}`: policy.Allow, `{"html":"<div>see /div and/or </div>"}`: policy.Allow,
		`{"body":"application/json, /api/v1 11/25 // a comment"}`: policy.Allow, `{"items":["a","b","sub"],"labels":["bug"]}`: policy.Allow,

		`{"target":".git/hooks/pre-commit","content":"evil"}`: policy.Ask, `{"name":".env"}`: policy.Ask, `{"from":"x","to":".git/hooks/pre-commit"}`: policy.Ask,
		`{"src":"x","dst":".vscode/tasks.json"}`: policy.Ask, `{"items":["a",".env"]}`: policy.Ask, `{"dir":".ssh","n":"id_rsa"}`: policy.Ask, `{"dst":"cfg/tasks.json"}`: policy.Ask,
		`{"url":"FILE:` + outside + `"}`: policy.Ask, `{"n":"notes.txt"}`: policy.Ask, `{"n":"lk/s"}`: policy.Ask, `{"n":"hard"}`: policy.Ask, `{"a":[[{"b":"..\/x"}]]}`: policy.Ask,
		`{"n":"$HOME/x"}`: policy.Ask, `{"n":"~/x"}`: policy.Ask, `{"q":"move x to ../new/here"}`: policy.Ask, `{"q":"print ` + outside + ` please"}`: policy.Ask, `{".envrc":true}`: policy.Ask,
		`{"root":"lk","leaf":"none"}`: policy.Ask, `{"dir":"sub","leaf":"../../out/s"}`: policy.Ask, `{"dir":".docker","leaf":"config.json"}`: policy.Ask, `{"n":"private/x"}`: policy.Ask,
		`{"statement":"rm -rf /"}`: policy.Ask, `{"pattern":".env"}`: policy.Ask,

		`{"text":"it mentions infra/x"}`: policy.Ask, `{"n":"infra/x"}`: policy.Deny, `{"root":"infra","leaf":"x"}`: policy.Deny,
	} {
		for _, kind := range []acp.ToolKind{acp.ToolKindOther, acp.ToolKindFetch, acp.ToolKindThink, acp.ToolKindSwitchMode, "new", ""} {
			for _, said := range []string{"asked", "announced", "both", "another"} {
				title := "x"
				call, known := &acp.ToolCallUpdate{ToolCallID: "c", Title: &title}, &acp.ToolCallUpdate{ToolCallID: "c", Title: &title}
				if kind != "" {
					call.Kind, known.Kind = &kind, &kind
				}
				if said != "announced" {
					call.RawInput = []byte(input)
				}
				switch said {
				case "announced", "both":
					known.RawInput = []byte(input)
				case "another": // which of the two counts is not known
					known.RawInput = []byte(`{"another":1}`)
				}
				for _, allowed := range [][]policy.Rule{nil, {{Tool: policy.ToolMCP, Decision: policy.Allow}, {Tool: policy.ToolAny, Decision: policy.Allow}}} {
					g.all.Rules.SetRules(append(append([]policy.Rule{}, rules...), allowed...))
					g.SetLevel(policy.LevelAll)
					a := g.AgentQuestion(t.Context(), call, nil, known, false)
					d := g.Decide(&a.Request)
					if said == "another" && len(input) > 2 {
						if d.Verdict == policy.Allow {
							t.Errorf("%s of kind %q after another: %s (%s)", input, kind, d.Verdict, d.Reason)
						}
					} else if d.Verdict != want || d.Remember {
						t.Errorf("%s of kind %q, %s: %s (%s), want %s", input, kind, said, d.Verdict, d.Reason, want)
					}
				}
			}
		}
	}
}

// TestAMoveSaysFromWhereAndToWhere: one that names a single file is not understood, whatever the level.
func TestAMoveSaysFromWhereAndToWhere(t *testing.T) {
	g := linkedGate(t, map[string]string{"w/a.txt": "", "w/b.txt": ""}, map[string]string{"w/l": "a.txt"})
	move, edit, remove := acp.ToolKindMove, acp.ToolKindEdit, acp.ToolKindDelete
	at := func(names ...string) (out []acp.ToolCallLocation) {
		for _, n := range names {
			out = append(out, acp.ToolCallLocation{Path: filepath.Join(g.Cwd, n)})
		}
		return out
	}
	for what, c := range map[string]struct {
		call, known *acp.ToolCallUpdate
		want        policy.Verdict
	}{
		"both":                     {&acp.ToolCallUpdate{Kind: &move, Locations: at("a.txt", "c.txt")}, nil, policy.Allow},
		"one":                      {&acp.ToolCallUpdate{Kind: &move, Locations: at("a.txt")}, nil, policy.Ask},
		"none":                     {&acp.ToolCallUpdate{Kind: &move}, nil, policy.Ask},
		"one twice":                {&acp.ToolCallUpdate{Kind: &move, Locations: at("a.txt", "./a.txt")}, nil, policy.Ask},
		"one by two names":         {&acp.ToolCallUpdate{Kind: &move, Locations: at("a.txt", "l")}, nil, policy.Ask},
		"one, announced as a move": {&acp.ToolCallUpdate{Kind: &edit, Locations: at("a.txt")}, &acp.ToolCallUpdate{Kind: &move}, policy.Ask},
		"one with unknown members": {&acp.ToolCallUpdate{Kind: &move, Locations: at("a.txt"), RawInput: []byte(`{"to":"c.txt"}`)}, nil, policy.Ask},
		"a deletion of none":       {&acp.ToolCallUpdate{Kind: &remove}, nil, policy.Ask},
		"a deletion of one":        {&acp.ToolCallUpdate{Kind: &remove, Locations: at("a.txt")}, nil, policy.Allow},
		"an edit of none":          {&acp.ToolCallUpdate{Kind: &edit}, nil, policy.Ask},
		"an edit of one":           {&acp.ToolCallUpdate{Kind: &edit, Locations: at("a.txt")}, nil, policy.Allow},
	} {
		for _, level := range []policy.Level{policy.LevelEdits, policy.LevelAll} {
			g.SetLevel(level)
			a := g.AgentQuestion(t.Context(), c.call, nil, c.known, false)
			d := g.Decide(&a.Request)
			if d.Verdict != c.want || strings.HasPrefix(what, "one") && !d.Must {
				t.Errorf("%s at %s: %+v", what, level, d)
			}
		}
	}
}
