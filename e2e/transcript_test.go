//go:build e2e

package e2e

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

// lastUsers are the user's messages of the newest request with tools, which is the newest of a conversation.
func (w *world) lastUsers() (out []string) {
	for _, r := range w.model.Requests() {
		if len(r.Tools) == 0 {
			continue
		}
		out = nil
		for _, m := range r.Messages {
			if m.Role == "user" {
				out = append(out, m.Text())
			}
		}
	}
	return out
}

// running says whether a Copilot of this world runs.
func (w *world) running() bool {
	for _, p := range w.processes() {
		if strings.Contains(p, " -p ") || strings.Contains(p, "--session-id") || strings.Contains(p, "--resume") {
			return true
		}
	}
	return false
}

// TestE2ECopilotInPrintMode is the same session as with ACP, by one `copilot -p` a turn: unsaved text is read, an edit
// is asked about and reviewed, Copilot's own session is resumed, a cancel leaves no process, /compact is Copilot's own,
// and a restart of the bridge changes nothing.
func TestE2ECopilotInPrintMode(t *testing.T) {
	w := copilot(t, map[string]string{"unsaved.txt": "on disk\n", "a.txt": "one\ntwo\n"})
	w.kind = "transcript"
	e := w.start()
	e.open("unsaved.txt", "only in the buffer\n")
	e.open("a.txt")
	s := e.newSession()

	e.turn(s, "remember VIOLET "+model.Script(tool("view", obj{"path": w.path("unsaved.txt")}), model.Say("fin")))
	if r := w.results(); len(r) != 1 || !strings.Contains(r[0], "only in the buffer") {
		t.Errorf("the model was given %q", r)
	}
	if !strings.Contains(e.said(), "fin") {
		t.Errorf("said %q", e.said())
	}
	for _, name := range []string{"view", "edit", "create", "bash"} {
		if w.model.ToolNames()[name] {
			t.Errorf("Copilot still has its own %s", name)
		}
	}

	turn := e.turn(s, "edit "+model.Script(tool("edit", obj{"path": w.path("a.txt"), "old_str": "two", "new_str": "TWO"}), model.Say("ok")))
	if q := e.questions(); len(q) != 1 || !strings.Contains(q[0].ToolCall.Title, "a.txt") {
		t.Errorf("the questions: %+v", q)
	}
	if got := e.text("a.txt"); got != "one\nTWO\n" || len(e.hunks("a.txt")) != 1 {
		t.Errorf("the buffer holds %q, with %d hunks", got, len(e.hunks("a.txt")))
	}
	users := w.lastUsers()
	if len(users) < 2 || !strings.Contains(users[0], "VIOLET") || strings.Contains(users[len(users)-1], "VIOLET") {
		t.Errorf("Copilot's session was not resumed, or the transcript was sent as well: %q", users)
	}
	e.resolve(obj{"action": "undo", "turnId": turn})
	if got := e.text("a.txt"); got != "one\ntwo\n" {
		t.Errorf("undone, the buffer holds %q", got)
	}

	e.turn(s, "run "+model.Script(tool("bash", obj{"command": "echo made > new.txt", "description": "make"}), model.Say("ok")))
	if w.read("new.txt") != "made\n" || len(e.hunks("new.txt")) != 1 {
		t.Errorf("the command made %q, with %d hunks", w.read("new.txt"), len(e.hunks("new.txt")))
	}

	turn = e.send(s, "cancelled "+model.Script(model.Step{Text: "never", Hold: "gate"}))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := w.model.Held(ctx, "gate"); err != nil {
		t.Fatal(err)
	}
	if !w.running() {
		t.Error("it is not seen to run")
	}
	began := time.Now()
	e.call("copilot-bridge/session/cancel", obj{"sessionId": s, "turnId": turn}, nil)
	if end := e.ended(turn); end.Reason != "cancelled" {
		t.Errorf("ended with %s %s", end.Reason, end.Error)
	}
	t.Logf("cancelled after %v", time.Since(began).Round(time.Millisecond))
	if w.running() {
		t.Errorf("still running: %q", w.processes())
	}
	w.model.Release("gate")

	var compacted struct {
		MessagesRemoved int `json:"messagesRemoved"`
	}
	e.call("copilot-bridge/session/compact", obj{"sessionId": s}, &compacted)
	if compacted.MessagesRemoved == 0 {
		t.Error("nothing was compacted")
	}

	if err := e.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-e.over
	e = w.start()
	e.call("copilot-bridge/session/load", obj{"sessionId": s}, nil)
	e.turn(s, "after "+model.Script(model.Say("still here")))
	if users := w.lastUsers(); !strings.Contains(strings.Join(users[:len(users)-1], "\n"), "VIOLET") || !strings.Contains(e.said(), "still here") {
		t.Errorf("after a restart the model was sent %q", users)
	}
}
