package fsproxy_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/fsproxytest"
	"github.com/copilot-bridge/copilot-bridge/internal/links"
)

// A yes is for one file: a link put in its way afterwards leads nowhere.
func TestExactPathThatLeadsElsewhereByNow(t *testing.T) {
	w := newWorld(t, fsproxytest.Honest, false)
	p := w.put("a", "one\n")
	w.put("other", "other\n")
	exact := fsproxy.EditRequest{Path: p, Old: "one", New: "two", Exact: true}
	if _, err := w.fs.Edit(t.Context(), exact); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(p), links.Make(t, "other", p)); err != nil {
		t.Fatal(err)
	}
	exact.Old, exact.New = "other", "changed"
	if _, err := w.fs.Edit(t.Context(), exact); !errors.Is(err, fsproxy.ErrChanged) {
		t.Errorf("edit: %v", err)
	}
	if _, err := w.fs.Write(t.Context(), fsproxy.WriteRequest{Path: p, Text: "x", Exact: true}); !errors.Is(err, fsproxy.ErrChanged) {
		t.Errorf("write: %v", err)
	}
	if err := w.fs.Remove(t.Context(), fsproxy.ChangeRequest{Path: p, Exact: true}, "other\n"); !errors.Is(err, fsproxy.ErrChanged) {
		t.Errorf("remove: %v", err)
	}
	w.want("other", w.onDisk("other"), "other\n")
}

func TestConflictIsShownInWordsOfBoundedLength(t *testing.T) {
	w := newWorld(t, fsproxytest.Honest, false)
	p := w.put("a", strings.Repeat("line\n", 5000))
	w.editor.Open(p)
	w.read("r", "a")
	w.editor.Replace(p, 0, 25_000, strings.Repeat("the user's line\n", 5000))
	_, err := w.write("r", "a", strings.Repeat("the agent's line\n", 5000))
	if !errors.Is(err, fsproxy.ErrConflict) || len(err.Error()) > 6000 ||
		!strings.Contains(err.Error(), "the user's line") || !strings.Contains(err.Error(), "the agent's line") {
		t.Errorf("%d bytes: %.300s", len(err.Error()), err)
	}
}

// Who wrote what is told the right way round, also when the other is the disk.
func TestConflictWithTheDiskUnderACleanBuffer(t *testing.T) {
	w := newWorld(t, fsproxytest.Honest, false)
	p := w.put("a", "one\ntwo\n")
	w.editor.Open(p)
	w.put("a", "one\nby a command\n")
	_, err := w.edit("a", "two", "by the agent")
	var e *fsproxy.EditError
	if !errors.As(err, &e) || len(e.Conflicts) != 1 || e.Conflicts[0].Ours != "by the agent\n" || e.Conflicts[0].Theirs != "by a command\n" {
		t.Errorf("%v", err)
	}
	w.want("buffer", w.inBuffer("a"), "one\ntwo\n")
	w.want("disk", w.onDisk("a"), "one\nby a command\n")
}
