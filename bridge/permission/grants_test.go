package permission

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// TestAYesIsForTheTurnOfItsQuestion: one that was asked between turns covers nothing in the next.
func TestAYesIsForTheTurnOfItsQuestion(t *testing.T) {
	g := gateOf(t, t.TempDir())
	old := "one\n"
	c := ChangeGrant(here(t, g, "a.txt"), 0, &old, "two\n")
	a := &Asked{covers: []Grant{c}, yes: &yes{}}
	uses := func() bool { return g.Use("x", c) != nil }
	if g.Issue("", a); uses() {
		t.Error("a yes between turns is good")
	}
	g.BeginTurn("1")
	if g.Issue("", a); uses() {
		t.Error("a yes to a question from between turns is good in the turn")
	}
	if g.Issue("0", a); uses() {
		t.Error("a yes to a question of the turn before is good in the turn")
	}
	if g.Issue("1", a); !uses() || uses() {
		t.Error("a yes of the turn is not good once")
	}
	g.Issue("1", a)
	g.EndTurn()
	g.BeginTurn("2")
	if uses() {
		t.Error("a yes outlives its turn")
	}
}

// TestAYesToACommandCoversTheFilesThatItNames: what is run is as much in a script behind an interpreter as in a program, and
// in a program that only the shown PATH finds.
func TestAYesToACommandCoversTheFilesThatItNames(t *testing.T) {
	for name, c := range map[string]struct {
		argv []string
		env  []terminalproxy.EnvVar
		file string
		same bool
	}{
		"a script":                {[]string{"sh", "build.sh"}, nil, "build.sh", false},
		"a script in an argument": {[]string{"awk", "--file=x/a.awk"}, nil, "x/a.awk", false},
		"a script in a line":      {[]string{"bash", "-c", "cd . && python3 'build.sh';"}, nil, "build.sh", false},
		"a program behind env":    {[]string{"env", "A=1", "./build.sh"}, nil, "build.sh", false},
		"found by its PATH":       {[]string{"tool"}, []terminalproxy.EnvVar{{Name: "PATH", Value: "$cwd/bin:/bin"}}, "bin/tool", false},
		"a file not named":        {[]string{"sh", "build.sh"}, nil, "other.sh", true},
	} {
		t.Run(name, func(t *testing.T) {
			g := linkedGate(t, map[string]string{"w/build.sh": "one\n", "w/other.sh": "one\n", "w/x/a.awk": "one\n", "w/bin/tool": "one\n"}, nil)
			if err := os.Chmod(filepath.Join(g.Cwd, "bin/tool"), 0o755); err != nil {
				t.Fatal(err)
			}
			for i := range c.env {
				c.env[i].Value = strings.ReplaceAll(c.env[i].Value, "$cwd", g.Cwd)
			}
			dir, err := g.Resolve(g.Cwd)
			if err != nil {
				t.Fatal(err)
			}
			g.BeginTurn("1")
			g.Issue("1", &Asked{covers: []Grant{g.commandGrant(c.argv, dir, c.env)}, yes: &yes{}})
			if err := os.WriteFile(filepath.Join(g.Cwd, c.file), []byte("evil\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			now := g.commandGrant(c.argv, dir, c.env)
			now.cmd = &Command{Argv: c.argv, Cwd: g.Cwd, Env: c.env}
			if got := g.use(now, false); (got != nil) != c.same {
				t.Errorf("covered: %v", got)
			}
		})
	}
}

// TestAPatchThatTakesAFileAwayIsNoChangeOfIt: an "always" for changes is not good for it.
func TestAPatchThatTakesAFileAwayIsNoChangeOfIt(t *testing.T) {
	g := linkedGate(t, map[string]string{"w/a.txt": "one\n"}, nil)
	removed := acp.ToolKindDelete
	for name, c := range map[string]struct {
		call  string
		known *acp.ToolCallUpdate
		op    policy.Op
	}{
		"a change":       {`{"input":"*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch"}`, nil, policy.OpWrite},
		"a deletion":     {`{"input":"*** Begin Patch\n*** Delete File: a.txt\n*** End Patch"}`, nil, policy.OpDelete},
		"a move":         {`{"input":"*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n@@\n-one\n+two\n*** End Patch"}`, nil, policy.OpDelete},
		"git's deletion": {`{"fileName":"a.txt","diff":"diff --git a/a.txt b/a.txt\ndeleted file mode 100644\n"}`, nil, policy.OpDelete},
		"git's move":     {`{"fileName":"a.txt","diff":"rename from a.txt\nrename to a.txt\n"}`, nil, policy.OpDelete},
		"was announced":  {`{"path":"a.txt","old_str":"one","new_str":"two"}`, &acp.ToolCallUpdate{ToolCallID: "c", Kind: &removed}, policy.OpDelete},
	} {
		kind := acp.ToolKindEdit
		a := g.AgentQuestion(t.Context(), &acp.ToolCallUpdate{ToolCallID: "c", Kind: &kind, RawInput: []byte(c.call)}, nil, c.known, false)
		if a.Request.Odd != "" || len(a.Request.Paths) == 0 || slices.ContainsFunc(a.Request.Paths, func(p policy.Path) bool { return p.Op != c.op }) {
			t.Errorf("%s: %+v", name, a.Request)
		}
	}
}

// TestANameThatLooksLikeAnotherIsSpelledOut: a yes is for the file that was meant.
func TestANameThatLooksLikeAnotherIsSpelledOut(t *testing.T) {
	for path, want := range map[string]string{
		"/w/a b.txt": "", "/w/caf\u00e9.txt": "", "/w/.a..txt.": "",
		"/w/cafe\u0301.txt": `"/w/cafe\u0301.txt"`, "/w/a.txt ": `"/w/a.txt "`, "/w/dir /a": `"/w/dir /a"`,
		"/w/a\u00a0b": `"/w/a\u00a0b"`, "/w/ a": `"/w/ a"`, "/w/a\u3000": `"/w/a\u3000"`,
	} {
		if got := spelledOut(path); got != want {
			t.Errorf("%q: %s", path, got)
		}
	}
	target, err := gateOf(t, t.TempDir()).Resolve("a.txt ")
	if err != nil || !slices.ContainsFunc(target.Notes(), func(n string) bool { return strings.HasSuffix(n, `a.txt "`) }) {
		t.Errorf("%v, %v", target.Notes(), err)
	}
}

// TestAFileThatBecomesAnotherThingIsNotTheSame: a folder, a pipe; no editor is asked to read it.
func TestAFileThatBecomesAnotherThingIsNotTheSame(t *testing.T) {
	g := linkedGate(t, map[string]string{"w/a.txt": "one\n"}, nil)
	for _, name := range []string{"a.txt", "new.txt"} {
		target, err := g.Resolve(name)
		if err != nil || g.Same(target) != nil {
			t.Fatal(err)
		}
		_ = os.Remove(target.Path)
		if err := os.Mkdir(target.Path, 0o755); err != nil {
			t.Fatal(err)
		}
		if g.Same(target) == nil {
			t.Errorf("%s is taken for the same", name)
		}
	}
}
