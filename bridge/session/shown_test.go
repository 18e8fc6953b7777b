package session_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// TestTheRulesSeeEachFileThatAQuestionShows: a relative path in a change or a place is a file like any other, whatever rule
// allows the others.
func TestTheRulesSeeEachFileThatAQuestionShows(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"b.txt", ".git/hooks/pre-commit", "src/../b.txt", "../out.txt", "~/x"} {
		for _, call := range []string{
			`"locations":[{"path":"$cwd/src/a.txt"}],"content":[` + diffOf(name, "null", "evil") + `]`,
			`"locations":[{"path":"$cwd/src/a.txt"},{"path":"` + name + `"}]`,
		} {
			rules := []policy.Rule{{Tool: policy.ToolEdit, Path: "src/**", Decision: policy.Allow}}
			r := newRigWith(t, map[string]string{"src/a.txt": "one\n"}, func(c *Config) { c.Rules = rules }, hello+`
expect session/prompt
request session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","kind":"edit",`+call+`},`+options4+`}
answer
reply {"stopReason":"end_turn"}`).open()
			r.screen.ask = no
			r.run("go")
			if n := len(r.screen.questions()); n != 1 {
				t.Errorf("%s: asked %d times", call, n)
			}
		}
	}
}

// TestAPathThatCanBeReadInTwoWaysAsks: what an agent may expand, trim or decode is not judged as the name that it is.
func TestAPathThatCanBeReadInTwoWaysAsks(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": ""}, toolTurn).open()
	s := r.theSession()
	r.inTurn(func(*link) {
		read := acp.ToolKindRead
		for path, plain := range map[string]bool{
			"a.txt": true, "./a.txt": true, ".a": true, "_a": true, "app/[id]/(x)/$id.tsx": true, "é.txt": true, "my file.txt": true, r.path("a.txt"): true, r.path("~/%x"): true,
			"~/a.txt": false, "~": false, "~root/a": false, "$HOME/a": false, "x/${HOME}": false, "$(id)": false, "`id`": false, "%USERPROFILE%/a": false,
			"FILE:/a": false, "File:///a": false, "http:/a": false, "c:/a": false, "a.txt:x": false, r.path("") + "/%2e%2e/a": false, "%2E%2e/a": false, "x%2Fa": false,
			" a.txt": false, "a.txt ": false, "\u00a0a.txt": false, "@a.txt": false, "'a.txt'": false, `"a.txt"`: false, "-": false, `..\a`: false, `\\host\a`: false,
			"．．/a": false, "／a": false, ".\u200b./a": false,
		} {
			for _, call := range []*acp.ToolCallUpdate{
				{RawInput: []byte(fmt.Sprintf(`{"path":%q}`, path))},
				{Locations: []acp.ToolCallLocation{{Path: path}}},
			} {
				call.ToolCallID, call.Kind = "c", &read
				d := s.Gate().Decide(&s.Gate().AgentQuestion(r.ctx, call, nil, nil, false).Request)
				if (d.Verdict == policy.Allow) != plain || d.Remember {
					t.Errorf("%q: %s, remember %v", path, d.Verdict, d.Remember)
				}
			}
		}
	})
}

// TestTwoChangesOfOneFileAreShownTogether: what the user types into a buffer during a question stays, what an agent's other
// change has done to it is asked about.
func TestTwoChangesOfOneFileAreShownTogether(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": fiveLines}, toolTurn).open()
	r.buffer("a.txt")
	first, second := make(chan struct{}), make(chan struct{})
	r.screen.ask = func(ctx context.Context, q *Question) (Answer, error) {
		if !strings.Contains(q.Diffs[0].NewText, "FIVE") {
			return yes(ctx, q)
		}
		if !strings.Contains(q.Diffs[0].OldText, "ONE") {
			close(first)
			<-second
		}
		return yes(ctx, q)
	}
	r.inTurn(func(l *link) {
		done := make(chan error, 1)
		go func() {
			_, err := r.edit(l, "a.txt", "five", "FIVE")
			done <- err
		}()
		<-first
		if _, err := r.edit(l, "a.txt", "one", "ONE"); err != nil {
			t.Error(err)
		}
		close(second)
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	qs := r.screen.questions()
	if len(qs) != 3 || qs[2].Diffs[0].NewText != "ONE\ntwo\nthree\nfour\nFIVE\n" {
		t.Errorf("asked %d times", len(qs))
	}
}

// TestACommandRunsInTheShellThatWasShown: another command in the same shell may end while it is asked about.
func TestACommandRunsInTheShellThatWasShown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ line, shown string }{
		"a variable": {"export EVIL=1", "with EVIL=1"},
		"the folder": {"cd sub", "/sub"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, map[string]string{"sub/x": ""}, toolTurn).open()
			open, answer := make(chan struct{}, 9), make(chan struct{})
			r.screen.ask = func(ctx context.Context, q *Question) (Answer, error) {
				if q.Argv[2] == "pwd" {
					open <- struct{}{}
					<-answer
				}
				return yes(ctx, q)
			}
			run := func(l *link, line string) error {
				_, err := l.Bash(r.ctx, caller(), tools.BashArgs{Command: line, Mode: tools.BashSync, ShellID: "x"}, nil)
				return err
			}
			r.inTurn(func(l *link) {
				done := make(chan error, 1)
				go func() { done <- run(l, "pwd") }()
				<-open
				if err := run(l, c.line); err != nil {
					t.Error(err)
				}
				close(answer)
				if err := <-done; err != nil {
					t.Error(err)
				}
			})
			qs := r.screen.questions()
			if last := qs[len(qs)-1]; len(qs) != 3 || !strings.Contains(strings.Join(last.Facts(), "\n"), c.shown) {
				t.Errorf("asked %d times, at last %q", len(qs), last.Facts())
			}
		})
	}
}

// TestAllowAllAsksForASurprisingShell: allow_all is for what the words say; a variable that earlier commands have left in the
// shell and that makes another command of them asks.
func TestAllowAllAsksForASurprisingShell(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{}, `handshake
session s1 {"configOptions":[`+strings.Replace(allowsAll, `"on","options"`, `"off","options"`, 1)+`]}
stub session/close
stub session/set_config_option {"configOptions":[`+allowsAll+`]}
expect@p session/prompt
mark running
wait done
reply@p {"stopReason":"end_turn"}`).open()
	if _, err := r.b.SetOption(r.ctx, r.session, "allow_all", "on"); err != nil {
		t.Fatal(err)
	}
	r.screen.ask = no
	r.inTurn(func(l *link) {
		for _, c := range []struct {
			line string
			asks bool
		}{
			{"export MINE=1 GOOS=linux", false},
			{"true", false},
			{"export PATH=/evil:$PATH", false},
			{"true", true},
		} {
			_, err := l.Bash(r.ctx, caller(), tools.BashArgs{Command: c.line, Mode: tools.BashSync, ShellID: "x"}, nil)
			if (err != nil) != c.asks {
				t.Errorf("%s: %v", c.line, err)
			}
		}
	})
}
