//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
)

// Two editors of one user: the text is open in one that speaks LSP, the chat is one that speaks ACP and has no files of
// its own. Each has a bridge, and the first lends the second its buffers.

func TestE2ELentBuffers(t *testing.T) {
	w, d := copilot(t, agentFiles()), copilotDialect()
	const unsaved = "mine, unsaved\none\ntwo\nthree\n"
	l := w.startLSP([]string{"--lend-buffers"})
	l.open("dirty.txt", unsaved)
	l.open("clean.txt")
	e := w.startACPWith(obj{}, "--borrow-buffers")
	s := e.newSession()

	e.turn(s, "edit "+model.Script(d.read(w.path("dirty.txt")), d.edit(w.path("dirty.txt"), "two", "TWO"), model.Say("fin")))
	if r := fmt.Sprint(w.results()); !strings.Contains(r, "mine, unsaved") {
		t.Errorf("the model read %s", r)
	}
	if got := l.text("dirty.txt"); got != "mine, unsaved\none\nTWO\nthree\n" {
		t.Errorf("the lender's buffer holds %q", got)
	}
	if got := w.read("dirty.txt"); got != "one\ntwo\nthree\n" {
		t.Errorf("the disk under it holds %q", got)
	}
	if h := l.hunks("dirty.txt"); len(h) != 1 || h[0].OldText != "two\n" || h[0].NewText != "TWO\n" {
		t.Errorf("the lender has the hunks %+v", h)
	}
	if e.questions() != 1 || len(l.questions()) != 0 {
		t.Errorf("%d questions in the chat, %d where the text is", e.questions(), len(l.questions()))
	}

	// The lender is killed: the disk serves, and the user is told.
	if err := l.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-l.over
	e.turn(s, "alone "+model.Script(d.read(w.path("read.txt")), d.edit(w.path("clean.txt"), "two", "TWO"), model.Say("fin")))
	if got := strings.Count(e.said(), "that shared its buffers"); got != 1 {
		t.Errorf("told %d times: %q", got, e.said())
	}
	if got := w.read("clean.txt"); got != "one\nTWO\n" {
		t.Errorf("the disk holds %q", got)
	}

	// And lends again when it is back.
	again := w.startLSP([]string{"--lend-buffers"})
	again.open("read.txt", "again unsaved\non disk\n")
	again.call("copilot-bridge/review/list", obj{}, nil) // it has read what it was told
	e.turn(s, "again "+model.Script(d.read(w.path("read.txt")), d.edit(w.path("read.txt"), "on disk", "ON DISK"), model.Say("fin")))
	if r := fmt.Sprint(w.results()); !strings.Contains(r, "again unsaved") {
		t.Errorf("the model read %s", r)
	}
	if got := again.text("read.txt"); got != "again unsaved\nON DISK\n" {
		t.Errorf("the lender's buffer holds %q", got)
	}
	if !strings.Contains(e.said(), "are shared again") {
		t.Errorf("said %q", e.said())
	}
}
