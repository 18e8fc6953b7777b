//go:build e2e

package e2e

import (
	"encoding/json"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

// parallelFiles are changed in one go, in this order.
var parallelFiles = []string{"d.txt", "b.txt", "e.txt", "a.txt", "c.txt"}

// parallelWorld is a world, and a turn in which the model makes several edits at once: Copilot 1.0.102 announces them in their order, and
// calls the tools on another connection.
func parallelWorld(t *testing.T) (w *world, turn string) {
	files := map[string]string{}
	for _, name := range parallelFiles {
		files[name] = "one\n"
	}
	w = copilot(t, files)
	var step model.Step
	for _, name := range parallelFiles {
		step.Tools = append(step.Tools, tool("edit", obj{"path": w.path(name), "old_str": "one\n", "new_str": "two\n"}).Tools...)
	}
	return w, "go " + model.Script(step, model.Say("fin"))
}

// inOrder compares the texts of questions, in the order in which they came, with the calls.
func inOrder(w *world, asked []string) {
	w.t.Helper()
	ok := len(asked) == len(parallelFiles)
	for i, text := range asked {
		ok = ok && strings.Contains(text, parallelFiles[i])
	}
	if !ok {
		w.t.Errorf("asked %q, want the order of %v", asked, parallelFiles)
	}
	for _, name := range parallelFiles {
		if got := w.read(name); got != "two\n" {
			w.t.Errorf("%s holds %q", name, got)
		}
	}
}

func TestE2EParallelCallsAreAskedInTheirOrderInAPlugin(t *testing.T) {
	w, turn := parallelWorld(t)
	var e *editor
	together := sync.OnceFunc(func() {
		e.until("a question for each call", func() bool { return len(e.asked) == len(parallelFiles) })
	})
	e = w.startAs(&editor{reply: func(question) obj {
		together() // no question waits for the answer to another
		return obj{"outcome": "selected", "optionId": "allow_once"}
	}}, nil)
	e.turn(e.newSession(), turn)
	var asked []string
	for _, q := range e.questions() {
		asked = append(asked, q.Title)
	}
	inOrder(w, asked)
}

func TestE2EParallelCallsAreAskedInTheirOrderInPlainLSP(t *testing.T) {
	w, turn := parallelWorld(t)
	var mu sync.Mutex
	var asked []string
	e := w.startAs(&editor{plain: true, choose: func(message string, titles []string) string {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, message)
		return titles[1] // the safe one comes first
	}}, nil)
	e.turn(e.newSession(), turn)
	inOrder(w, asked)
}

func TestE2EParallelCallsAreAskedInTheirOrderInACP(t *testing.T) {
	w, turn := parallelWorld(t)
	e := w.startACP(false)
	e.turn(e.newSession(), turn)
	var asked []string
	e.mu.Lock()
	for _, m := range e.got {
		if m.Method == "session/request_permission" {
			asked = append(asked, string(m.Params))
		}
	}
	e.mu.Unlock()
	inOrder(w, asked)
}

func TestE2EParallelCallsAreAskedInTheirOrderInPrompt(t *testing.T) {
	w, turn := parallelWorld(t)
	cmd := exec.Command(binary, append([]string{"prompt", "--json", "--yes", turn, "--"}, w.agent...)...)
	cmd.Env, cmd.Dir = w.env, w.ws
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var asked []string
	for line := range strings.Lines(string(out)) {
		var m struct{ Type string }
		if json.Unmarshal([]byte(line), &m) == nil && m.Type == "question" {
			asked = append(asked, line)
		}
	}
	inOrder(w, asked)
}
