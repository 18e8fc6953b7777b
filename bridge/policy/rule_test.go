package policy

import (
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

func TestParseRules(t *testing.T) {
	got, err := ParseRules([]byte(`[{"tool":"edit","path":"src/**","decision":"allow"},{"tool":"shell","argv":["*"],"decision":"ask"}]`))
	if err != nil || len(got) != 2 || got[0].Path != "src/**" || got[1].Argv[0] != "*" {
		t.Fatalf("%v %v", got, err)
	}
	for in, want := range map[string]string{
		`{}`:                                   "not an array",
		`[{"tool":"Edit","decision":"allow"}]`: `rules[0].tool is "Edit"`,
		`[{"decision":"allow"}]`:               `rules[0].tool is ""`,
		`[{"tool":"edit","decision":"yes"}]`:   `rules[0].decision is "yes"`,
		`[{"tool":"edit"}]`:                    `rules[0].decision`,
		`[{"tool":"edit","decision":"deny"},{"tool":"x"}]`:             `rules[1].tool`,
		`[{"tool":"edit","path":"a[","decision":"deny"}]`:              `rules[0].path`,
		`[{"tool":"edit","path":"b/a[/c","decision":"deny"}]`:          `rules[0].path`,
		`[{"tool":"edit","argv":["x"],"decision":"deny"}]`:             `rules[0].argv`,
		`[{"tool":"edit","paths":"x","decision":"allow"}]`:             `rules[0]`,
		`[{"tool":"edit","Path":"x","decision":"allow"}]`:              `rules[0]`,
		`[{"tool":"edit","tool":"read","decision":"allow"}]`:           `duplicate`,
		`[{"tool":"shell","argv":["x"],"dir":"/","decision":"allow"}]`: `dir and content`,
		`[{"tool":"shell","argv":"ls","decision":"allow"}]`:            `rules[0]`,
		`[` + strings.Repeat(`{},`, maxRules) + `{}]`:                  `are the most`,
		`[{"tool":"shell","argv":["x"],"content":"","decision":"no"}]`: `rules[0].decision`,
	} {
		if _, err := ParseRules([]byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, want %q", in, err, want)
		}
	}
}

func TestGlob(t *testing.T) {
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"a", "a", true}, {"a", "b", false}, {"*", "a", true}, {"*", "a/b", false}, {"**", "a/b", true}, {"**", "a", true},
		{"src/**", "src/a/b", true}, {"src/**", "src", true}, {"src/**", "srcx/a", false}, {"**/a", "a", true}, {"**/a", "x/y/a", true},
		{"**/a", "x/y/ab", false}, {"a/**/b", "a/b", true}, {"a/**/b", "a/x/y/b", true}, {"a/**/b", "a/x/y/c", false}, {"**/*.go", "x/a.go", true},
		{"*.go", "x/a.go", false}, {"/**", "/a/b", true}, {"a?c", "abc", true}, {"a[bc]", "ab", true}, {`a\*`, "a*", true}, {`a\*`, "ab", false}, {"[", "[", false},
		{"", "", true}, {"", "a", false}, {"a/", "a", false}, {"**/**", "a", true}, {"a/**/**/c/**", "a/b/c/d", true},
	} {
		if got := Glob(tt.pattern, tt.name); got != tt.want {
			t.Errorf("Glob(%q, %q) = %v", tt.pattern, tt.name, got)
		}
	}
}

func TestGlobsOfTheAgentCostLittle(t *testing.T) {
	start := time.Now()
	Glob(strings.Repeat("**/", 500)+"x", strings.Repeat("a/", 500)+"y")
	Glob(strings.Repeat("*a", 2000), strings.Repeat("a", 2000)+"b")
	if d := time.Since(start); d > await.Promptly {
		t.Errorf("%v", d)
	}
}

// TestAllCommandsAreAllowedByTheFirstRuleThatSpeaksOfAll guards what clients show as a relaxed mode: a rule for every command, where
// no rule before it takes that back.
func TestAllCommandsAreAllowedByTheFirstRuleThatSpeaksOfAll(t *testing.T) {
	all := Rule{Tool: ToolShell, Argv: AllCommands, Decision: Allow}
	for i, c := range []struct {
		rules []Rule
		want  bool
	}{
		{nil, false},
		{[]Rule{all}, true},
		{[]Rule{{Tool: ToolAny, Argv: AllCommands, Decision: Allow}}, true},
		{[]Rule{{Tool: ToolShell, Decision: Ask}, all}, false},
		{[]Rule{{Tool: ToolShell, Argv: AllCommands, Decision: Deny}, all}, false},
		{[]Rule{{Tool: ToolShell, Argv: []string{"rm"}, Decision: Deny}, all}, true},
		{[]Rule{{Tool: ToolShell, Decision: Allow}}, false}, // covers no command
		{[]Rule{{Tool: ToolEdit, Decision: Allow}}, false},
		{[]Rule{{Tool: ToolShell, Argv: []string{"*", "x"}, Decision: Allow}}, false},
		{[]Rule{{Tool: ToolShell, Argv: AllCommands, Path: "src/**", Decision: Allow}}, false},
	} {
		if got := New(c.rules, nil).AllowsAllCommands(); got != c.want {
			t.Errorf("%d: %v: %v", i, c.rules, got)
		}
	}
}
