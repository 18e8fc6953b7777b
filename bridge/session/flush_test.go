package session_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// mixed is a bridge whose agent has changed two buffers that also hold unsaved text of the user's, and in which a third
// has unsaved text that the agent has nothing to do with.
func mixed(t *testing.T, mode FlushMode, answer acp.PermissionOptionID) (r *rig, turn string) {
	t.Helper()
	r, turn = atWork(t, map[string]string{"a.txt": "one\ntwo\nthree\nfour\n", "b.txt": "one\ntwo\nthree\nfour\n", "mine.txt": "saved\n"}, func(c *Config) { c.Flush, c.StateDir = mode, t.TempDir() })
	r.screen.ask = func(_ context.Context, q *Question) (Answer, error) {
		if len(q.Save) > 0 {
			return Answer{OptionID: answer}, nil
		}
		return Answer{OptionID: optOnce}, nil
	}
	r.buffer("mine.txt", "unsaved\n")
	for _, name := range []string{"a.txt", "b.txt"} {
		r.buffer(name, "mine\ntwo\nthree\nfour\n")
		if _, err := r.link().Edit(r.ctx, caller(), tools.EditArgs{Path: r.path(name), Old: "four", New: "FOUR"}); err != nil {
			t.Fatal(err)
		}
	}
	return r, turn
}

const (
	diskText = "one\ntwo\nthree\nfour\n"
	bothText = "mine\ntwo\nthree\nFOUR\n"
)

// saves are the questions about saving.
func (r *rig) saves() (out []*Question) {
	for _, q := range r.screen.questions() {
		if len(q.Save) > 0 {
			out = append(out, q)
		}
	}
	return out
}

func TestBeforeACommandUnsavedTextIsSavedOnlyWithConsent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		mode   FlushMode
		answer acp.PermissionOptionID
		asked  int
		disk   string // of both files, as the command sees them; "" if it does not run
	}{
		{"save and run", FlushAsk, optOnce, 1, bothText},
		{"run without saving", FlushAsk, optUnsaved, 1, diskText},
		{"reject", FlushAsk, optReject, 1, ""},
		{"closed without an answer", FlushAsk, "", 1, ""},
		{"an answer that was not offered", FlushAsk, "save_and_run", 1, ""},
		{"not set is ask", "", optOnce, 1, bothText},
		{"never", FlushNever, "", 0, diskText},
		{"disk", FlushDisk, "", 0, bothText},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, turn := mixed(t, c.mode, c.answer)
			text, err := r.link().Bash(r.ctx, caller(), tools.BashArgs{Command: "cat a.txt b.txt; touch ran", Mode: tools.BashSync}, nil)
			if ran := r.disk("ran") == ""; ran != (c.disk != "") {
				t.Fatalf("it ran: %v (%q, %v)", ran, text, err)
			}
			if c.disk != "" && !strings.HasPrefix(text, c.disk+c.disk) {
				t.Errorf("the command saw %q", text)
			}
			if c.disk == "" {
				if !errors.As(err, new(*Refusal)) {
					t.Errorf("the model reads %v", err)
				}
				c.disk = diskText
			}
			if r.disk("a.txt") != c.disk || r.disk("b.txt") != c.disk || r.bufferText("a.txt") != bothText || r.bufferText("b.txt") != bothText {
				t.Errorf("on disk %q, in the buffer %q", r.disk("a.txt"), r.bufferText("a.txt"))
			}
			if r.disk("mine.txt") != "saved\n" || r.bufferText("mine.txt") != "unsaved\n" {
				t.Error("a buffer that the agent has not touched was saved")
			}
			q := r.saves()
			if len(q) != c.asked || len(r.screen.questions()) != 3 { // two edits and the command
				t.Fatalf("asked %d times, %d of them with something to save", len(r.screen.questions()), len(q))
			}
			if c.asked > 0 {
				var names []string
				for _, o := range q[0].Options {
					names = append(names, o.Name)
				}
				if !slices.Equal(names, []string{"Reject", "Save and run", "Run without saving"}) || !slices.Equal(q[0].Save, []string{r.path("a.txt"), r.path("b.txt")}) ||
					!slices.Contains(q[0].Facts(), "saves "+r.path("a.txt")+" first") || len(q[0].Argv) == 0 {
					t.Errorf("asked %+v", q[0])
				}
			}
			r.finish(turn)
		})
	}
}

func TestACancelledTurnSavesNothing(t *testing.T) {
	t.Parallel()
	r, turn := mixed(t, FlushAsk, "")
	asking := make(chan struct{})
	r.screen.ask = func(ctx context.Context, q *Question) (Answer, error) {
		if len(q.Save) == 0 {
			return Answer{OptionID: optOnce}, nil
		}
		close(asking)
		<-ctx.Done()
		return Answer{OptionID: optOnce}, nil // too late
	}
	go func() {
		<-asking
		r.b.Cancel(r.session, Cancellation{Turn: turn})
	}()
	if _, err := r.link().Bash(r.ctx, caller(), tools.BashArgs{Command: "touch ran", Mode: tools.BashSync}, nil); err == nil {
		t.Error("it ran")
	}
	if r.disk("a.txt") != diskText || r.disk("ran") == "" {
		t.Errorf("on disk %q", r.disk("a.txt"))
	}
	r.finish(turn)
}

// A buffer without unsaved text of the user's is saved with the edit: `go test` sees it, and nobody is asked.
func TestGoTestSeesWhatTheAgentWrote(t *testing.T) {
	t.Parallel()
	r, turn := atWork(t, map[string]string{
		"go.mod":    "module m\n\ngo 1.26\n",
		"m.go":      "package m\n\nfunc Two() int { return 1 }\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc TestTwo(t *testing.T) {\n\tif Two() != 2 {\n\t\tt.Fatal(Two())\n\t}\n}\n",
	}, func(c *Config) { c.Flush = FlushAsk; c.Env = append(os.Environ(), "GOFLAGS=-count=1", "GOWORK=off") })
	r.buffer("m.go")
	if _, err := r.link().Edit(r.ctx, caller(), tools.EditArgs{Path: r.path("m.go"), Old: "return 1", New: "return 2"}); err != nil {
		t.Fatal(err)
	}
	if got := r.bash("go test ."); !strings.HasPrefix(got, "ok") {
		t.Errorf("go test says %q", got)
	}
	if len(r.saves()) != 0 {
		t.Error("the user was asked to save what is not theirs")
	}
	r.finish(turn)
}

// An editor that saves for nobody has its buffers' text put on disk for it, with consent all the same.
func TestAnEditorThatCannotSave(t *testing.T) {
	t.Parallel()
	r, turn := mixed(t, FlushAsk, optOnce)
	r.editor.CannotSave = true
	if got := r.bash("cat a.txt"); !strings.HasPrefix(got, bothText) {
		t.Errorf("the command saw %q", got)
	}
	if len(r.saves()) != 1 {
		t.Errorf("asked %d times", len(r.saves()))
	}
	r.finish(turn)
}

// A yes for good saves as one for once does, and is for the command: the next time what is to be saved is asked about again.
func TestAYesForGoodSavesOnce(t *testing.T) {
	t.Parallel()
	r, turn := mixed(t, FlushAsk, optAlways)
	if text := r.bash("cat a.txt"); !strings.HasPrefix(text, bothText) || len(r.saves()[0].Options) != 4 {
		t.Errorf("the command saw %q, asked %+v", text, r.saves()[0])
	}
	r.editor.Type(r.path("a.txt"), 0, "more\n")
	if text, err := r.link().Bash(r.ctx, caller(), tools.BashArgs{Command: "cat a.txt", Mode: tools.BashSync}, nil); err == nil {
		t.Errorf("the command saw %q", text)
	}
	if len(r.saves()) != 2 || r.disk("a.txt") != bothText {
		t.Errorf("asked %d times, on disk %q", len(r.saves()), r.disk("a.txt"))
	}
	r.finish(turn)
}

// A rule that allows the command says nothing of the user's unsaved text: the one question there is is about both. What frees the agent
// from all questions saves as a yes does.
func TestARuleForACommandDoesNotSave(t *testing.T) {
	t.Parallel()
	for answer, want := range map[acp.PermissionOptionID]string{optOnce: bothText, optUnsaved: diskText, optReject: diskText, optAlways: diskText} {
		r, turn := mixed(t, FlushAsk, answer)
		r.b.SetRules([]policy.Rule{{Tool: policy.ToolShell, Argv: []string{"*"}, Decision: policy.Allow}})
		n := len(r.screen.questions())
		text, err := r.link().Bash(r.ctx, caller(), tools.BashArgs{Command: "cat a.txt", Mode: tools.BashSync}, nil)
		if ran := err == nil; ran != (answer == optOnce || answer == optUnsaved) || ran && !strings.HasPrefix(text, want) {
			t.Errorf("%s: the model reads %q, %v", answer, text, err)
		}
		qs := r.screen.questions()[n:]
		if len(qs) != 1 || len(qs[0].Options) != 3 || !strings.Contains(qs[0].Reason, "unsaved changes of yours") || r.disk("a.txt") != want {
			t.Errorf("%s: asked %d times, on disk %q", answer, len(qs), r.disk("a.txt"))
		}
		r.finish(turn)
	}
}

// A file that comes to hold unsaved text while the question is open was not in it: the question comes again, with both.
func TestWhatBecomesUnsavedMeanwhileIsAskedAbout(t *testing.T) {
	t.Parallel()
	r, turn := mixed(t, FlushAsk, "")
	r.put("c.txt", diskText)
	r.buffer("c.txt")
	r.screen.ask = func(_ context.Context, q *Question) (Answer, error) {
		if len(q.Save) == 2 {
			if _, err := r.link().Edit(r.ctx, caller(), tools.EditArgs{Path: r.path("c.txt"), Old: "four", New: "FOUR"}); err != nil {
				t.Error(err)
			}
			r.editor.Type(r.path("c.txt"), 0, "mine\n")
		}
		return Answer{OptionID: optOnce}, nil
	}
	r.bash("true")
	if q := r.saves(); len(q) != 2 || len(q[1].Save) != 3 || !strings.HasPrefix(r.disk("c.txt"), "mine\n") {
		t.Errorf("asked %d times, on disk %q", len(r.saves()), r.disk("c.txt"))
	}
	r.finish(turn)
}

// The agent's own question about a command says what is saved first; that is done before it hears of the yes, and it is not asked
// about again when it has the command run here.
func TestTheAgentsOwnQuestionSaves(t *testing.T) {
	t.Parallel()
	for answer, want := range map[acp.PermissionOptionID]string{optOnce: "mine\ntwo\nthree\nFOUR\n", optUnsaved: diskText, optReject: diskText} {
		t.Run(string(answer), func(t *testing.T) {
			option, run := "y", `
request@c terminal/create {"sessionId":"s1","command":"bash","args":["-c","cat a.txt"]}
answer@c
request@w terminal/wait_for_exit {"sessionId":"s1","terminalId":"$terminal"}
answer@w {"exitCode":0}`
			if answer == optReject {
				option, run = "n", ""
			}
			r := newRigWith(t, map[string]string{"a.txt": diskText}, func(c *Config) { c.Flush = FlushAsk }, hello+`
expect@p session/prompt
request@f fs/write_text_file {"sessionId":"s1","path":"$cwd/a.txt","content":"one\ntwo\nthree\nFOUR\n"}
answer@f
request@q session/request_permission {"sessionId":"s1","toolCall":{"toolCallId":"c","kind":"execute","title":"cat a.txt","rawInput":{"command":"cat a.txt"}},
	"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]}
answer@q {"outcome":{"outcome":"selected","optionId":"`+option+`"}}
mark answered
wait looked`+run+`
reply@p {"stopReason":"end_turn"}`).open()
			r.screen.ask = func(_ context.Context, q *Question) (Answer, error) {
				if len(q.Save) > 0 {
					return Answer{OptionID: answer}, nil
				}
				return Answer{OptionID: optOnce}, nil
			}
			r.buffer("a.txt", "mine\ntwo\nthree\nfour\n")
			turn := r.prompt("go")
			r.await("answered")
			if got := r.disk("a.txt"); got != want {
				t.Errorf("on disk when the agent goes on: %q", got)
			}
			r.set("looked")
			r.ended(turn)
			if n := len(r.screen.questions()); len(r.saves()) != 1 || n != 2 {
				t.Errorf("asked %d times, %d of them with something to save", n, len(r.saves()))
			}
		})
	}
}

// ACP's terminal/create asks and saves as the tool does.
func TestBothRoadsFlush(t *testing.T) {
	t.Parallel()
	r := newRigWith(t, map[string]string{"a.txt": diskText}, func(c *Config) { c.Flush = FlushAsk }, hello+`
expect@p session/prompt
request@f fs/write_text_file {"sessionId":"s1","path":"$cwd/a.txt","content":"one\ntwo\nthree\nFOUR\n"}
answer@f
request@c terminal/create {"sessionId":"s1","command":"cat a.txt"}
answer@c
request@w terminal/wait_for_exit {"sessionId":"s1","terminalId":"$terminal"}
answer@w {"exitCode":0}
request@o terminal/output {"sessionId":"s1","terminalId":"$terminal"}
answer@o {"output":"mine\ntwo\nthree\nFOUR\n"}
reply@p {"stopReason":"end_turn"}`).open()
	r.screen.ask = func(_ context.Context, q *Question) (Answer, error) {
		if len(q.Save) > 0 {
			return Answer{OptionID: optOnce}, nil
		}
		return Answer{OptionID: optOnce}, nil
	}
	r.buffer("a.txt", "mine\ntwo\nthree\nfour\n")
	r.run("go")
	if len(r.saves()) != 1 {
		t.Errorf("asked %d times", len(r.saves()))
	}
}

// TestALevelThatIsNarrowedWhileFilesAreSavedHolds: nothing more is saved, and the command does not run.
func TestALevelThatIsNarrowedWhileFilesAreSavedHolds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		mode  FlushMode
		level policy.Level
		asks  bool
	}{
		"asked about, then read-only":     {FlushAsk, policy.LevelReadOnly, false},
		"without a question, then so":     {FlushDisk, policy.LevelReadOnly, false},
		"by the level, which goes to ask": {FlushDisk, policy.LevelAsk, true},
	} {
		t.Run(name, func(t *testing.T) {
			r, turn := mixed(t, c.mode, optOnce)
			if c.mode == FlushDisk {
				if _, err := r.b.SetLevel(r.session, policy.LevelAll); err != nil {
					t.Fatal(err)
				}
			}
			asked := len(r.screen.questions())
			r.editor.Format = func(s string) string { // it is about to save
				if _, err := r.b.SetLevel(r.session, c.level); err != nil {
					t.Error(err)
				}
				r.screen.ask = no
				return s
			}
			_, err := r.link().Bash(r.ctx, caller(), tools.BashArgs{Command: "touch ran", Mode: tools.BashSync}, nil)
			if r.disk("ran") == "" || !errors.As(err, new(*Refusal)) {
				t.Errorf("it ran, or was refused by %v", err)
			}
			if r.disk("a.txt") != bothText || r.disk("b.txt") == bothText {
				t.Errorf("on disk %q and %q", r.disk("a.txt"), r.disk("b.txt"))
			}
			if n := len(r.screen.questions()) - asked; (n > 0) != (c.asks || c.mode == FlushAsk) {
				t.Errorf("asked %d times", n)
			}
			if !c.asks && !strings.Contains(err.Error(), "this session is read-only") {
				t.Errorf("the model reads %v", err)
			}
			r.finish(turn)
		})
	}
}
