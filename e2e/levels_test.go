//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

// levelRow is a row of the table of docs/permissions.md: how often a turn with everything in it asks, and what is done of it where every
// question is answered with yes.
type levelRow struct {
	level string
	asked int
	done  bool
}

// levelRows: outside is read, which always asks; a file is changed, a control file made, a command run.
var levelRows = []levelRow{{"read-only", 1, false}, {"ask", 4, true}, {"edits", 3, true}, {"all", 2, true}}

// levelWorld is a world with a file outside of its workspace, and the turn.
func levelWorld(t *testing.T) (w *world, turn string) {
	w = copilot(t, map[string]string{"a.txt": "one\n"})
	outside := filepath.Join(w.home, "outside.txt")
	if err := os.WriteFile(outside, []byte("far away\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return w, "go " + model.Script(
		tool("view", obj{"path": outside}), tool("edit", obj{"path": w.path("a.txt"), "old_str": "one\n", "new_str": "two\n"}),
		tool("create", obj{"path": w.path(".vscode/tasks.json"), "file_text": "{}\n"}), tool("bash", obj{"command": "touch ran.txt", "description": "run"}), model.Say("fin"))
}

// holds compares what a turn did with its row.
func (row levelRow) holds(w *world, asked int) {
	w.t.Helper()
	if asked != row.asked {
		w.t.Errorf("at %s it asked %d times, want %d", row.level, asked, row.asked)
	}
	results := strings.Join(w.results(), "\n")
	for name, want := range map[string]string{"a.txt": "two\n", ".vscode/tasks.json": "{}\n", "ran.txt": ""} {
		if got := w.read(name); (got == want) != row.done {
			w.t.Errorf("at %s the file %s holds %q", row.level, name, got)
		}
	}
	if !strings.Contains(results, "far away") || strings.Contains(results, "read-only") == row.done {
		w.t.Errorf("at %s the model was told %q", row.level, results)
	}
}

func TestE2ELevelsInAPlugin(t *testing.T) {
	for _, row := range levelRows {
		t.Run(row.level, func(t *testing.T) {
			w, turn := levelWorld(t)
			e := w.startAs(&editor{options: obj{"permission": obj{"level": row.level}}}, nil)
			e.open("a.txt")
			e.turn(e.newSession(), turn)
			row.holds(w, len(e.questions()))
			if n := len(e.hunks("a.txt")); (n == 1) != row.done {
				t.Errorf("%d hunks are pending", n)
			}
		})
	}
}

func TestE2ELevelsInPlainLSP(t *testing.T) {
	for _, row := range levelRows {
		t.Run(row.level, func(t *testing.T) {
			w, turn := levelWorld(t)
			var asked atomic.Int32
			e := w.startAs(&editor{plain: true, choose: func(_ string, titles []string) string {
				asked.Add(1)
				return titles[1] // the safe one comes first
			}}, nil)
			s := e.newSession()
			e.call("workspace/executeCommand", obj{"command": "copilot-bridge.setLevel", "arguments": []any{obj{"level": row.level}}}, nil)
			e.turn(s, turn)
			row.holds(w, int(asked.Load()))
		})
	}
}

func TestE2ELevelsInACP(t *testing.T) {
	for _, row := range levelRows {
		t.Run(row.level, func(t *testing.T) {
			w, turn := levelWorld(t)
			e := w.startACP(false)
			s := e.newSession()
			e.call("session/set_config_option", obj{"sessionId": s, "configId": "copilot-bridge.level", "value": row.level}, nil)
			e.turn(s, turn)
			row.holds(w, e.questions())
		})
	}
}

func TestE2ELevelsInPrompt(t *testing.T) {
	for _, row := range levelRows {
		t.Run(row.level, func(t *testing.T) {
			w, turn := levelWorld(t)
			cmd := exec.Command(binary, append([]string{"prompt", "--json", "--yes", "--level", row.level, turn, "--"}, w.agent...)...)
			cmd.Env, cmd.Dir = w.env, w.ws
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			row.holds(w, strings.Count(string(out), `"type":"question"`))
		})
	}
}

// TestE2EATaskOfThreeFilesStopsOnce: at the level edits a task of three files, one of them open with unsaved text, and a command stops
// for the command and nothing else.
func TestE2EATaskOfThreeFilesStopsOnce(t *testing.T) {
	w := copilot(t, map[string]string{"a.txt": "one\ntwo\n", "b.txt": "one\ntwo\n", "c.txt": "one\ntwo\n"})
	e := w.startAs(&editor{options: obj{"permission": obj{"level": "edits"}}}, nil)
	e.open("a.txt", "one\ntwo\nmine\n")
	edit := func(name string) model.Step {
		return tool("edit", obj{"path": w.path(name), "old_str": "two\n", "new_str": "TWO\n"})
	}
	e.turn(e.newSession(), "go "+model.Script(edit("a.txt"), edit("b.txt"), edit("c.txt"), tool("bash", obj{"command": "cat b.txt", "description": "look"}), model.Say("fin")))
	if asked := e.questions(); len(asked) != 1 || len(asked[0].Argv) == 0 {
		t.Errorf("asked %+v", asked)
	}
	if got := e.text("a.txt"); got != "one\nTWO\nmine\n" {
		t.Errorf("the buffer holds %q", got)
	}
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		if n := len(e.hunks(name)); n != 1 {
			t.Errorf("%d hunks are pending in %s", n, name)
		}
	}
}
