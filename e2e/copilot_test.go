//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

func tool(name string, args obj) model.Step { return model.Call("editor-"+name, args) }

// TestE2ECopilotReadsAndEditsBuffers is one session, a turn for each rule: Copilot takes some seconds to start.
func TestE2ECopilotReadsAndEditsBuffers(t *testing.T) {
	var lines strings.Builder
	for i := range 40 {
		fmt.Fprintf(&lines, "line %d\n", i)
	}
	w := copilot(t, map[string]string{
		"unsaved.txt": "on disk\n", "dirty.txt": "one\ntwo\nthree\n", "clean.txt": "one\ntwo\n", "crlf.txt": "one\r\ntwo\r\nlast",
		"closed.txt": "\uFEFFone\r\ntwo\r\nlast", "hunks.txt": lines.String(), "race.txt": "one\ntwo\n", "astral.txt": "𝒳🙂 one\n🙂 two 🙂 three\n",
	})
	if err := os.Chmod(w.path("closed.txt"), 0o750); err != nil {
		t.Fatal(err)
	}
	e := w.start()
	for _, name := range []string{"clean.txt", "crlf.txt", "hunks.txt", "race.txt", "astral.txt"} {
		e.open(name)
	}
	e.open("unsaved.txt", "only in the buffer\n")
	e.open("dirty.txt", "one\ntwo\nthree\nmine, unsaved\n")
	s := e.newSession()
	edit := func(name, old, text string) model.Step {
		return tool("edit", obj{"path": w.path(name), "old_str": old, "new_str": text})
	}
	e.turn(s, "read "+model.Script(tool("view", obj{"path": w.path("unsaved.txt")}), tool("grep", obj{"pattern": "only in", "output_mode": "content"}), model.Say("fin")))
	if r := w.results(); len(r) < 2 || !strings.Contains(r[0], "only in the buffer") || !strings.Contains(r[1], "only in the buffer") {
		t.Errorf("the model was given %q", r)
	}
	if w.read("unsaved.txt") != "on disk\n" || !strings.Contains(e.said(), "fin") {
		t.Errorf("the disk holds %q, the editor was told %q", w.read("unsaved.txt"), e.said())
	}
	for _, name := range []string{"view", "edit", "create", "bash"} {
		if w.model.ToolNames()[name] {
			t.Errorf("Copilot still has its own %s", name)
		}
	}

	e.turn(s, "edit "+model.Script(edit("dirty.txt", "two", "TWO"), edit("clean.txt", "two", "TWO"), edit("crlf.txt", "one\ntwo\n", "1\n2\n"),
		edit("closed.txt", "two", "TWO"), edit("astral.txt", "two 🙂 th", "2 🙂🙂 th"), model.Say("ok")))
	for name, want := range map[string]string{
		"dirty.txt": "one\nTWO\nthree\nmine, unsaved\n", "clean.txt": "one\nTWO\n", "crlf.txt": "1\r\n2\r\nlast",
		"astral.txt": "𝒳🙂 one\n🙂 2 🙂🙂 three\n", "closed.txt": "(not open)",
	} {
		if got := e.text(name); got != want {
			t.Errorf("the buffer of %s holds %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"dirty.txt": "one\ntwo\nthree\n", "clean.txt": "one\nTWO\n", "crlf.txt": "1\r\n2\r\nlast", "closed.txt": "\uFEFFone\r\nTWO\r\nlast",
	} {
		if got := w.read(name); got != want {
			t.Errorf("on disk %s holds %q, want %q", name, got, want)
		}
	}
	if fi, err := os.Stat(w.path("closed.txt")); err != nil || fi.Mode().Perm() != 0o750 {
		t.Errorf("the mode is %v, %v", fi.Mode(), err)
	}

	e.race = func() { e.typeText(w.path("race.txt"), e.text("race.txt")+"typed meanwhile\n") }
	e.turn(s, "race "+model.Script(edit("race.txt", "two", "TWO"), model.Say("ok")))
	if got := e.text("race.txt"); got != "one\nTWO\ntyped meanwhile\n" {
		t.Errorf("after typing into an edit the buffer holds %q", got)
	}

	e.turn(s, "create "+model.Script(tool("create", obj{"path": w.path("new/deep/n.txt"), "file_text": "brand new\n"}), model.Say("ok")))
	if got := w.read("new/deep/n.txt"); got != "brand new\n" || len(e.hunks("new/deep/n.txt")) != 1 {
		t.Errorf("created %q with %d hunks", got, len(e.hunks("new/deep/n.txt")))
	}
	e.resolve(obj{"action": "undo", "uri": uri(w.path("new/deep/n.txt"))})
	if _, err := os.Stat(w.path("new")); !os.IsNotExist(err) {
		t.Errorf("undone, the new folder is still there: %v", err)
	}

	e.turn(s, "hunks "+model.Script(edit("hunks.txt", "line 3\n", "LINE 3\n"), edit("hunks.txt", "line 30\n", "LINE 30\nmore\n"), model.Say("ok")))
	hs := e.hunks("hunks.txt")
	if len(hs) != 2 || hs[0].NewText != "LINE 3\n" || hs[1].NewText != "LINE 30\nmore\n" {
		t.Fatalf("hunks: %+v", hs)
	}
	e.typeText(w.path("hunks.txt"), "typed above\n"+e.text("hunks.txt"))
	e.resolve(obj{"action": "undo", "hunks": []string{hs[0].ID}})
	e.resolve(obj{"action": "keep", "hunks": []string{hs[1].ID}})
	want := "typed above\n" + strings.Replace(lines.String(), "line 30\n", "LINE 30\nmore\n", 1)
	if got := e.text("hunks.txt"); got != want || len(e.hunks("hunks.txt")) > 0 {
		t.Errorf("the buffer is not base, kept hunk and typing: %q", got)
	}
	e.turn(s, "told "+model.Script(model.Say("ok")))
	if !w.told("undone") {
		t.Error("the agent was not told what was undone")
	}
}

func TestE2ECopilotRunsCommands(t *testing.T) {
	w := copilot(t, map[string]string{"a.txt": "one\ntwo\n", "open.txt": "alpha\nbeta\n"})
	e := w.start()
	e.open("open.txt")
	s := e.newSession()
	turn := e.turn(s, "run "+model.Script(tool("bash", obj{"command": "sed -i s/two/TWO/ a.txt; sed -i s/beta/BETA/ open.txt; echo made > new.txt; pwd", "description": "change"}), model.Say("ok")))
	if r := w.results(); len(r) != 1 || !strings.Contains(r[0], filepath.Base(w.ws)) || !strings.Contains(r[0], "exit code 0") {
		t.Errorf("the model was given %q", r)
	}
	if q := e.questions(); len(q) != 1 || len(q[0].Argv) != 3 || !strings.HasPrefix(q[0].Argv[2], "sed -i") {
		t.Errorf("the questions: %+v", q)
	}
	for name, n := range map[string]int{"a.txt": 1, "open.txt": 1, "new.txt": 1} {
		if got := e.hunks(name); len(got) != n {
			t.Errorf("%s has %d hunks: %+v", name, len(got), got)
		}
	}
	if got := e.text("open.txt"); got != "alpha\nBETA\n" {
		t.Errorf("the buffer holds %q", got)
	}
	e.resolve(obj{"action": "undo", "turnId": turn})
	if a, o := w.read("a.txt"), e.text("open.txt"); a != "one\ntwo\n" || o != "alpha\nbeta\n" || !strings.Contains(w.read("new.txt"), "no such file") {
		t.Errorf("undone: a.txt %q, open.txt %q, new.txt %q", a, o, w.read("new.txt"))
	}
}

func TestE2ECopilotIsRefusedCancelledAndQueued(t *testing.T) {
	w := copilot(t, map[string]string{"a.txt": "one\n"})
	e := w.start()
	s := e.newSession()
	e.permit = func(question) string { return "reject_once" }
	e.turn(s, "refused "+model.Script(tool("edit", obj{"path": w.path("a.txt"), "old_str": "one", "new_str": "two"}), model.Say("went on")))
	if !strings.Contains(e.said(), "went on") || w.read("a.txt") != "one\n" || !w.told("declined") {
		t.Errorf("after a no: said %q, the file is %q", e.said(), w.read("a.txt"))
	}

	// A question that is open when the turn is cancelled, and a yes that comes after it.
	late := make(chan struct{})
	e.permit = func(question) string { <-late; return "allow_once" }
	turn := e.send(s, "cancelled "+model.Script(tool("edit", obj{"path": w.path("a.txt"), "old_str": "one", "new_str": "two"}), model.Say("no")))
	e.until("the question", func() bool { return len(e.asked) == 2 })
	e.call("copilot-bridge/session/cancel", obj{"sessionId": s, "turnId": turn}, nil)
	if end := e.ended(turn); end.Reason != "cancelled" {
		t.Errorf("ended with %s %s", end.Reason, end.Error)
	}
	close(late)
	if got := w.read("a.txt"); got != "one\n" {
		t.Errorf("the file is %q", got)
	}

	// Two prompts at once run one after the other.
	first := e.send(s, "first "+model.Script(model.Step{Text: "first answer", Hold: "gate"}))
	second := e.send(s, "second "+model.Script(model.Say("second answer")))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := w.model.Held(ctx, "gate"); err != nil {
		t.Fatal(err)
	}
	if w.told("second") {
		t.Error("the second prompt did not wait")
	}
	w.model.Release("gate")
	for _, turn := range []string{first, second} {
		if end := e.ended(turn); end.Reason != "end_turn" {
			t.Errorf("ended with %s %s", end.Reason, end.Error)
		}
	}
	if said := e.said(); !strings.Contains(said, "first answer") || strings.Index(said, "first answer") > strings.Index(said, "second answer") {
		t.Errorf("said %q", said)
	}
}

func TestE2EKilledTheBridgeLeavesNoProcess(t *testing.T) {
	w := copilot(t, nil)
	e := w.start()
	s := e.newSession()
	e.send(s, "run "+model.Script(tool("bash", obj{"command": "setsid sh -c 'trap \"\" TERM; touch ready; exec tail -f /dev/null' & trap '' TERM; tail -f /dev/null", "description": "stay"})))
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(patience)
	for strings.Contains(w.read("ready"), "no such file") {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatal("the command did not start")
		}
	}
	if n := len(w.processes()); n < 5 {
		t.Errorf("only %d processes: %q", n, w.processes())
	}
	if err := e.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if left := w.processesAfter(5 * time.Second); len(left) > 0 {
		t.Errorf("left running: %q", left)
	}
	t.Logf("all gone after %v", time.Since(start).Round(time.Millisecond))
}
