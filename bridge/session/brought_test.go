package session_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

const oneHook = `{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"touch evil\u202e"}],"preToolUse":[{"type":"command","powershell":"calc"}]}}`

// hooked is a rig whose agent is Copilot, as far as hooks go.
func hooked(t *testing.T, files map[string]string, turns int) *rig {
	t.Helper()
	r := newRigWith(t, files, func(c *Config) {
		c.StateDir, c.Env, c.Rules = t.TempDir(), []string{"HOME=" + t.TempDir()}, everythingAllowed
	}, hello+"stub session/load\n"+strings.Repeat("expect@p session/prompt\nreply@p {\"stopReason\":\"end_turn\"}\n", turns))
	if err := r.b.ConnectAgent(r.ctx); err != nil {
		t.Fatal(err)
	}
	r.link().Copilot = true
	return r.open()
}

func TestHooksOfTheWorkspaceAskBeforeAPromptIsSent(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"hooks":                       {".github/hooks/x.json": oneHook},
		"hooks in a folder":           {".github/hooks/a/b/x.json": oneHook},
		"settings":                    {".github/copilot/settings.json": oneHook},
		"settings of Claude":          {".claude/settings.json": oneHook},
		"servers of an agent":         {".github/agents/x.agent.md": "---\nname: x\nmcp-servers:\n  e:\n    command: \"sessionStart: touch evil\u202e\"\n    args: [\"preToolUse: calc\"]\n---\nHi\n"},
		"servers of Claude's agent":   {".claude/agents/t/x.md": "---\nname: x\nmcp-servers:\n  e:\n    command: \"sessionStart: touch evil\u202e\"\n    args: [\"preToolUse: calc\"]\n---\nHi\n"},
		"servers by another spelling": {".github/agents/x.md": "---\n{name: x, \"mcp\\x2dservers\": {e: {command: 'sessionStart: touch evil\u202e preToolUse: calc'}}}\n---\nHi\n"},
		"settings of one machine":     {".github/copilot/settings.local.json": oneHook},
	} {
		t.Run(name, func(t *testing.T) {
			r := hooked(t, files, 1)
			r.screen.ask = no
			end := r.ended(r.prompt("go"))
			if end.Err == nil || end.Err.Code != CodeDenied || !strings.Contains(end.Err.Message, ".github") && !strings.Contains(end.Err.Message, ".claude") || end.Err.Hint == "" {
				t.Fatalf("ended with %+v", end)
			}
			q := r.screen.questions()
			if len(q) != 1 {
				t.Fatalf("asked %d times", len(q))
			}
			if notes := strings.Join(q[0].Notes, "; "); !strings.Contains(notes, "sessionStart: touch evil<U+202E>") || !strings.Contains(notes, "preToolUse: calc") {
				t.Errorf("shown %q", notes)
			}
			r.screen.ask = yes
			r.run("again")
		})
	}
}

func TestInTranscriptModeTheSameIsAsked(t *testing.T) {
	t.Parallel()
	r := hooked(t, map[string]string{".github/hooks/a/x.json": oneHook}, 2)
	r.link().Copilot, r.link().PerTurn = false, true
	r.screen.ask = no
	if end := r.ended(r.prompt("go")); end.Err == nil || end.Err.Code != CodeDenied || len(r.screen.questions()) != 1 {
		t.Fatalf("ended with %+v, asked %d times", end, len(r.screen.questions()))
	}
	r.screen.ask = yes
	r.run("again")
	r.put(".github/hooks/b.json", oneHook)
	r.run("changed")
	if n := len(r.screen.questions()); n != 3 {
		t.Errorf("asked %d times", n)
	}
}

func TestHooksAreAskedAboutOnceWhileTheyStayAsTheyAre(t *testing.T) {
	t.Parallel()
	r := hooked(t, map[string]string{".github/hooks/x.json": oneHook}, 4)
	r.screen.ask = yes
	r.run("one")
	r.run("two")
	if n := len(r.screen.questions()); n != 1 {
		t.Errorf("asked %d times", n)
	}
	r.put(".github/hooks/y.json", oneHook)
	r.run("three")
	if n := len(r.screen.questions()); n != 2 {
		t.Errorf("asked %d times after a hook was added", n)
	}
	r.put(".github/hooks/y.json", strings.Replace(oneHook, "calc", "cal", 1))
	r.run("four")
	if n := len(r.screen.questions()); n != 3 {
		t.Errorf("asked %d times after a hook was changed", n)
	}
}

// TestNothingIsLoadedBeforeTheAnswer: a session that is opened anew because of a change loads what has changed.
func TestNothingIsLoadedBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	r := hooked(t, nil, 1)
	r.screen.ask = yes
	r.run("one")
	r.put(".github/hooks/y.json", oneHook)
	loaded := func() string {
		return r.theSession().Loaded()
	}
	r.screen.ask = func(context.Context, *Question) (Answer, error) {
		if loaded() != "" {
			t.Error("the session was opened with the hook while it was asked about")
		}
		return Answer{OptionID: optReject}, nil
	}
	if end := r.ended(r.prompt("two")); end.Err == nil || loaded() != "" {
		t.Errorf("ended with %+v, loaded %q", end, loaded())
	}
}

func TestHooksThatAreAllowedForGoodAreThoseOfThisContent(t *testing.T) {
	t.Parallel()
	r := hooked(t, map[string]string{".github/hooks/x.json": oneHook}, 1)
	r.screen.ask = func(context.Context, *Question) (Answer, error) { return Answer{OptionID: optAlways}, nil }
	r.run("one")
	s := r.theSession()
	forget := func() { s.ForgetAgreed() }
	forget()
	if err := s.Clear(r.ctx); err != nil || len(r.screen.questions()) != 1 {
		t.Errorf("%v, asked %d times", err, len(r.screen.questions()))
	}
	forget()
	r.put(".github/hooks/x.json", oneHook+" ")
	r.screen.ask = no
	if err := s.Clear(r.ctx); err == nil {
		t.Error("another content is allowed")
	}
}

func TestWhatCannotBeReadIsAskedAboutEachTime(t *testing.T) {
	t.Parallel()
	r := hooked(t, map[string]string{".github/hooks/x.json": strings.Repeat(" ", 2<<20)}, 2)
	r.screen.ask = func(_ context.Context, q *Question) (Answer, error) {
		for _, o := range q.Options {
			if o.OptionID == optAlways {
				t.Error("a yes for good is offered for what nobody has seen")
			}
		}
		return Answer{OptionID: optOnce}, nil
	}
	r.run("one")
	r.run("two")
	if n := len(r.screen.questions()); n != 2 {
		t.Errorf("asked %d times", n)
	}
}

func TestHooksThatCopilotDoesNotRunAreNotAskedAbout(t *testing.T) {
	t.Parallel()
	other := hooked(t, map[string]string{".github/hooks/x.json": oneHook}, 1)
	other.link().Copilot = false
	none := hooked(t, map[string]string{
		".github/hooks/README.md": "x", ".github/agents/plain.md": "---\nname: x\n---\nmcp servers are fine\n", ".github/copilot/settings.json": `{"model":"x"}`,
		"AGENTS.md": "Be brief.", ".github/workflows/ci.yml": "on: push", ".vscode/mcp.json": "{}", "sub/.github/hooks/x.json": oneHook,
	}, 1)
	for name, r := range map[string]*rig{"another agent": other, "no hooks": none} {
		r.screen.ask = no
		if end := r.ended(r.prompt("go")); end.Err != nil || len(r.screen.questions()) > 0 {
			t.Errorf("%s: %+v, asked %d times", name, end, len(r.screen.questions()))
		}
	}
}

// TestCopilotByAnotherNameIsAskedAboutToo has it behind a script, which is started as any agent is.
func TestCopilotByAnotherNameIsAskedAboutToo(t *testing.T) {
	t.Parallel()
	named := `handshake {"protocolVersion":1,"agentInfo":{"name":"Copilot","version":"1.0.102"},"agentCapabilities":{}}`
	r := newRig(t, map[string]string{".github/hooks/x.json": oneHook}, strings.Replace(hello, "handshake", named, 1)).open()
	r.screen.ask = no
	if end := r.ended(r.prompt("go")); end.Err == nil || end.Err.Code != CodeDenied || len(r.screen.questions()) != 1 {
		t.Errorf("%+v, asked %d times", end, len(r.screen.questions()))
	}
}

// TestAUsersSettingDoesNotStandForTheQuestion: disableAllHooks in the user's settings leaves the workspace's hooks on in ACP
// mode (1.0.102).
func TestAUsersSettingDoesNotStandForTheQuestion(t *testing.T) {
	t.Parallel()
	r := hooked(t, map[string]string{".github/hooks/x.json": oneHook, "home/.copilot/settings.json": `{"disableAllHooks": true}`}, 0)
	r.b.Config().Env = []string{"HOME=" + r.path("home")}
	r.screen.ask = no
	if end := r.ended(r.prompt("go")); end.Err == nil || len(r.screen.questions()) != 1 {
		t.Errorf("%+v, asked %d times", end, len(r.screen.questions()))
	}
}

func TestATextFromOutsideIsAskedAboutBeforeItIsSent(t *testing.T) {
	t.Parallel()
	for name, target := range map[string]string{"outside": "", "a secret": ".env"} {
		t.Run(name, func(t *testing.T) {
			r := hooked(t, map[string]string{".env": "KEY=1"}, 1)
			to := r.path(target)
			if target == "" {
				to = t.TempDir() + "/notes.txt"
				if err := os.WriteFile(to, []byte("mine"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(to, r.path("AGENTS.md")); err != nil {
				t.Fatal(err)
			}
			r.screen.ask = no
			end := r.ended(r.prompt("go"))
			if q := r.screen.questions(); end.Err == nil || len(q) != 1 || !strings.Contains(strings.Join(q[0].Notes, "; "), to) {
				t.Fatalf("ended with %+v, asked %+v", end, q)
			}
			r.screen.ask = yes
			r.run("again")
			r.b.SetRules([]policy.Rule{{Tool: policy.ToolRead, Path: "**", Decision: policy.Deny}})
			s := r.theSession()
			s.ForgetAgreed()
			if err := s.Clear(r.ctx); err == nil || len(r.screen.questions()) != 2 {
				t.Errorf("a rule that forbids the read: %v, asked %d times", err, len(r.screen.questions()))
			}
		})
	}
}

// TestEveryPromptIsCleared holds that there is one function that lists what the workspace brings along, one that asks about it,
// and that nothing sends a prompt without what only the latter gives.
func TestEveryPromptIsCleared(t *testing.T) {
	t.Parallel()
	fset := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	uses := map[string][]string{} // what, by whom
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			file, err := parser.ParseFile(fset, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				note := func(what string) {
					if !slices.Contains(uses[what], fn.Name.Name) {
						uses[what] = append(uses[what], fn.Name.Name)
					}
				}
				ast.Inspect(fn, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.CompositeLit:
						if id, ok := n.Type.(*ast.Ident); ok && id.Name == "admitted" {
							note("admitted")
						}
					case *ast.SelectorExpr:
						switch on, _ := n.X.(*ast.Ident); {
						case n.Sel.Name == "MethodSessionPrompt", on != nil && on.Name == "brought" && n.Sel.Name == "Find":
							note(n.Sel.Name)
						}
					case *ast.Field:
						if id, ok := n.Type.(*ast.Ident); ok && id.Name == "admitted" {
							note("takes or gives admitted")
						}
					}
					return true
				})
			}
		}
	}
	for what, who := range map[string][]string{
		"admitted":                {"admit"},
		"Find":                    {"brought"},
		"MethodSessionPrompt":     {"say", "abort"}, // the latter in a turn that runs, and it asks no model
		"takes or gives admitted": {"admit", "say"},
	} {
		got := slices.Sorted(slices.Values(uses[what]))
		slices.Sort(who)
		if !slices.Equal(got, who) {
			t.Errorf("%s: used by %q, want %q", what, got, who)
		}
	}
}
