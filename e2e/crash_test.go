//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

// The agent is killed in the midst of a turn: the editor is told once, by the answer to its prompt, and the conversation
// goes on in the same session.

func TestE2EACPCrashCopilot(t *testing.T) {
	w := copilot(t, agentFiles())
	crashes(t, w, copilotDialect())
}

func TestE2EACPCrashOpencode(t *testing.T) {
	w, d := opencode(t)
	crashes(t, w, d)
}

func TestE2EACPCrashQwenCode(t *testing.T) {
	w, d := qwen(t)
	crashes(t, w, d)
}

func crashes(t *testing.T, w *world, d dialect) {
	e := w.startACP(true)
	e.open("dirty.txt", "mine, unsaved\none\ntwo\nthree\n")
	s := e.newSession()
	e.turn(s, "first "+model.Script(model.Say("Remember the word plum.")))

	id := e.prompt(s, "die "+model.Script(d.read(w.path("dirty.txt")), model.Step{Text: "half of what it wants to say", Hold: "dies"}))
	if err := w.model.Held(t.Context(), "dies"); err != nil {
		t.Fatal(err)
	}
	w.killAgent(e)
	m := e.end(id)
	if m.Error == nil || m.Error.Code != -32051 || !strings.Contains(string(m.Error.Data), `"retryable":true`) {
		t.Errorf("the turn ended with %s", m.outcome())
	}
	w.model.Release("dies")
	open := map[string]bool{}
	for _, u := range e.updates() {
		if id := u.Update.ToolCallID; id != "" && u.Update.Status != "" {
			open[id] = u.Update.Status != "completed" && u.Update.Status != "failed"
		}
	}
	for id, is := range open {
		if is {
			t.Errorf("the tool call %s is left open", id)
		}
	}

	before := len(e.said())
	e.turn(s, "again "+model.Script(d.read(w.path("dirty.txt")), d.edit(w.path("dirty.txt"), "two", "TWO"), model.Say("back again")))
	if got := e.said()[before:]; !strings.Contains(got, "back again") || strings.Contains(got, "plum") {
		t.Errorf("after the crash the editor was told %q", got)
	}
	if !w.told("Remember the word plum.") {
		t.Error("the agent has lost what was said")
	}
	if got := e.text("dirty.txt"); got != "mine, unsaved\none\nTWO\nthree\n" {
		t.Errorf("the buffer holds %q", got)
	}
}

// killAgent kills what the bridge has started to be its agent, and all that it has started.
func (w *world) killAgent(e *acpEditor) {
	w.t.Helper()
	killed := 0
	for _, pid := range w.pids() {
		line, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		if pid == e.cmd.Process.Pid || strings.HasPrefix(string(line), binary+"\x00") {
			continue
		}
		if syscall.Kill(pid, syscall.SIGKILL) == nil {
			killed++
		}
	}
	if killed == 0 {
		w.t.Fatal("there is no agent to kill")
	}
}
