package session_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// mixed is a bridge whose agent has changed two buffers that also hold unsaved text of the user's, and in which a third
// has unsaved text that the agent has nothing to do with.
func mixed(t *testing.T, mode FlushMode, answer acp.PermissionOptionID) (r *rig, turn string) {
	t.Helper()
	r, turn = atWork(t, map[string]string{"a.txt": "one\ntwo\nthree\nfour\n", "b.txt": "one\ntwo\nthree\nfour\n", "mine.txt": "saved\n"}, func(c *Config) { c.Flush = mode })
	r.screen.ask = func(_ context.Context, q *Question) (Answer, error) {
		if strings.HasPrefix(q.Title, "Save ") {
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
		if strings.HasPrefix(q.Title, "Save ") {
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
		{"save and run", FlushAsk, host.OptSaveRun, 1, bothText},
		{"run as it is", FlushAsk, host.OptRunAsIs, 1, diskText},
		{"cancel", FlushAsk, host.OptCancelRun, 1, ""},
		{"closed without an answer", FlushAsk, "", 1, ""},
		{"an answer that was not offered", FlushAsk, optOnce, 1, ""},
		{"not set is ask", "", host.OptSaveRun, 1, bothText},
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
			if len(q) != c.asked {
				t.Fatalf("asked %d times", len(q))
			}
			if c.asked > 0 {
				var names []string
				for _, o := range q[0].Options {
					names = append(names, o.Name)
				}
				if !slices.Equal(names, []string{"Cancel", "Save and run", "Run as it is"}) || !strings.Contains(q[0].Title, "a.txt, b.txt") || len(q[0].Diffs) != 2 || q[0].Diffs[0].OldText != diskText || q[0].Diffs[0].NewText != bothText {
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
		if !strings.HasPrefix(q.Title, "Save ") {
			return Answer{OptionID: optOnce}, nil
		}
		close(asking)
		<-ctx.Done()
		return Answer{OptionID: host.OptSaveRun}, nil // too late
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
	r, turn := mixed(t, FlushAsk, host.OptSaveRun)
	r.editor.CannotSave = true
	if got := r.bash("cat a.txt"); !strings.HasPrefix(got, bothText) {
		t.Errorf("the command saw %q", got)
	}
	if filepath.Base(r.saves()[0].Diffs[0].Path) != "a.txt" {
		t.Errorf("asked %+v", r.saves()[0])
	}
	r.finish(turn)
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
		if strings.HasPrefix(q.Title, "Save ") {
			return Answer{OptionID: host.OptSaveRun}, nil
		}
		return Answer{OptionID: optOnce}, nil
	}
	r.buffer("a.txt", "mine\ntwo\nthree\nfour\n")
	r.run("go")
	if len(r.saves()) != 1 {
		t.Errorf("asked %d times", len(r.saves()))
	}
}
