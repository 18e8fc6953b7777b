package bridge

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// TestAYesIsForTheTurnOfItsQuestion: one that was asked between turns covers nothing in the next.
func TestAYesIsForTheTurnOfItsQuestion(t *testing.T) {
	r := newRig(t, map[string]string{"a.txt": "one\n"}, toolTurn).open()
	s := r.theSession()
	target, err := s.resolve(r.path("a.txt"))
	if err != nil {
		t.Fatal(err)
	}
	old := "one\n"
	g := changeGrant(target, 0, &old, "two\n")
	between := s.turnContext()
	s.issue(between, []grant{g})
	if s.use(g) {
		t.Error("a yes between turns is good")
	}
	r.inTurn(func(*link) {
		s.issue(between, []grant{g})
		if s.use(g) {
			t.Error("a yes to a question from between turns is good in the turn")
		}
		s.issue(s.turnContext(), []grant{g})
		if !s.use(g) || s.use(g) {
			t.Error("a yes of the turn is not good once")
		}
	})
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
			r := newRig(t, map[string]string{"build.sh": "one\n", "other.sh": "one\n", "x/a.awk": "one\n", "bin/tool": "one\n"}, toolTurn).open()
			if err := os.Chmod(r.path("bin/tool"), 0o755); err != nil {
				t.Fatal(err)
			}
			for i := range c.env {
				c.env[i].Value = strings.ReplaceAll(c.env[i].Value, "$cwd", r.path(""))
			}
			s := r.theSession()
			dir, err := s.resolve(s.Cwd)
			if err != nil {
				t.Fatal(err)
			}
			r.inTurn(func(*link) {
				s.issue(s.turnContext(), []grant{s.commandGrant(c.argv, dir, c.env)})
				if err := os.WriteFile(r.path(c.file), []byte("evil\n"), 0o755); err != nil {
					t.Fatal(err)
				}
				if got := s.use(s.commandGrant(c.argv, dir, c.env)); got != c.same {
					t.Errorf("covered: %v", got)
				}
			})
		})
	}
}

// TestAScriptThatChangesDuringTheQuestionIsAskedAboutAgain: it is what would be run.
func TestAScriptThatChangesDuringTheQuestionIsAskedAboutAgain(t *testing.T) {
	r := newRig(t, map[string]string{"build.sh": "one\n"}, toolTurn).open()
	asked := 0
	r.screen.ask = func(ctx context.Context, q *Question) (Answer, error) {
		if asked++; asked > 1 {
			return no(ctx, q)
		}
		if err := os.WriteFile(r.path("build.sh"), []byte("touch pwned\n"), 0o644); err != nil {
			t.Error(err)
		}
		return yes(ctx, q)
	}
	r.inTurn(func(*link) {
		s := r.theSession()
		_, err := s.createTerminal(r.ctx, &acp.CreateTerminalRequest{Command: "sh", Args: []string{"build.sh"}})
		if err == nil || asked != 2 {
			t.Errorf("asked %d times: %v", asked, err)
		}
	})
}

// TestAPatchThatTakesAFileAwayIsNoChangeOfIt: an "always" for changes is not good for it.
func TestAPatchThatTakesAFileAwayIsNoChangeOfIt(t *testing.T) {
	r := newRig(t, map[string]string{"a.txt": "one\n"}, hello).open()
	s := r.theSession()
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
		a := s.agentQuestion(r.ctx, &acp.ToolCallUpdate{ToolCallID: "c", Kind: &kind, RawInput: []byte(c.call)}, c.known)
		if a.request.Odd != "" || len(a.request.Paths) == 0 || slices.ContainsFunc(a.request.Paths, func(p policy.Path) bool { return p.Op != c.op }) {
			t.Errorf("%s: %+v", name, a.request)
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
	r := newRig(t, nil, hello).open()
	target, err := r.theSession().resolve(r.path("a.txt "))
	if err != nil || !slices.ContainsFunc(target.notes(), func(n string) bool { return strings.HasSuffix(n, `a.txt "`) }) {
		t.Errorf("%v, %v", target.notes(), err)
	}
}

// TestAFileThatBecomesAnotherThingIsNotTheSame: a folder, a pipe; no editor is asked to read it.
func TestAFileThatBecomesAnotherThingIsNotTheSame(t *testing.T) {
	r := newRig(t, map[string]string{"a.txt": "one\n"}, hello).open()
	s := r.theSession()
	for _, name := range []string{"a.txt", "new.txt"} {
		target, err := s.resolve(r.path(name))
		if err != nil || s.same(target) != nil {
			t.Fatal(err)
		}
		_ = os.Remove(r.path(name))
		if err := os.Mkdir(r.path(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if s.same(target) == nil {
			t.Errorf("%s is taken for the same", name)
		}
	}
}
