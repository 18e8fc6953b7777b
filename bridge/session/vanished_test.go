package session_test

import (
	"os"
	"slices"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

// pendingIn is a rig in which the agent has changed a file that is not open.
func pendingIn(t *testing.T, files map[string]string) *rig {
	r := newRig(t, files, toolTurn).open()
	r.inTurn(func(l *link) {
		if _, err := r.edit(l, "a.txt", "two", "TWO"); err != nil {
			t.Error(err)
		}
	})
	return r
}

// TestWhatIsPendingIsFoundWhereTheFileHasGone: another program renames a file and tells nobody. The change goes along if exactly
// one file has the text; where that cannot be told it stays for the file that is missing, and its undo makes that again.
func TestWhatIsPendingIsFoundWhereTheFileHasGone(t *testing.T) {
	t.Parallel()
	const base, changed = "one\ntwo\n", "one\nTWO\n"
	mv := func(from, to string) func(r *rig) { return func(r *rig) { r.rename(from, to) } }
	for name, c := range map[string]struct {
		move func(r *rig)
		want []string
		file string // that has the base when all is undone
	}{
		"beside":        {mv("a.txt", "b.txt"), []string{`edit b.txt: "two\n" → "TWO\n"`}, "b.txt"},
		"to a folder":   {mv("a.txt", "d/e/b.txt"), []string{`edit d/e/b.txt: "two\n" → "TWO\n"`}, "d/e/b.txt"},
		"with a copy":   {func(r *rig) { r.put("copy.txt", changed); r.rename("a.txt", "b.txt") }, []string{`edit a.txt: "two\n" → "TWO\n"`}, "a.txt"},
		"to the buffer": {func(r *rig) { r.rename("a.txt", "b.txt"); r.buffer("b.txt") }, []string{`edit b.txt: "two\n" → "TWO\n"`}, "b.txt"},
		"removed":       {func(r *rig) { _ = os.Remove(r.path("a.txt")) }, []string{`edit a.txt: "two\n" → "TWO\n"`}, "a.txt"},
		"there and back, with its buffer": {func(r *rig) {
			r.buffer("a.txt")
			r.rename("a.txt", "other.txt")
			r.b.FileRenamed(r.path("a.txt"), r.path("other.txt"))
			r.editor.Close(r.path("a.txt"))
			r.buffer("other.txt")
			r.editor.Close(r.path("other.txt"))
			r.rename("other.txt", "a.txt")
			r.buffer("a.txt")
		}, []string{`edit a.txt: "two\n" → "TWO\n"`}, "a.txt"},
	} {
		t.Run(name, func(t *testing.T) {
			r := pendingIn(t, map[string]string{"a.txt": base, "d/e/x.txt": "x\n"})
			c.move(r)
			r.eventually("the file is missed", func() bool {
				return !slices.ContainsFunc(r.b.Review(r.ctx, review.Filter{}), func(f review.File) bool { return !f.Missing && !there(f.Path) })
			})
			if got := r.review(); !slices.Equal(got, c.want) {
				t.Fatalf("in review: %q", got)
			}
			r.undoAll()
			if got := r.disk(c.file); got != base {
				t.Errorf("undone, the disk has %q", got)
			}
			if got := r.review(); len(got) > 0 {
				t.Errorf("undone, in review: %q", got)
			}
		})
	}
}

// TestAFileThatAnUndoMovesHasNotVanished: the watcher may tell of it before the undo is noted.
func TestAFileThatAnUndoMovesHasNotVanished(t *testing.T) {
	t.Parallel()
	r := pendingIn(t, map[string]string{"a.txt": "one\ntwo\n"})
	plan, _ := r.b.Config().Book.PlanUndo(review.Selector{All: true})
	r.b.Config().Book.Reconcile(r.path("a.txt"), "", false)
	if _, gone := r.b.Config().Book.Vanished(r.path("a.txt")); gone {
		t.Error("it is looked for while an undo is on its way")
	}
	r.b.Config().Book.Drop(plan[0])
	if _, gone := r.b.Config().Book.Vanished(r.path("a.txt")); !gone {
		t.Error("it is not looked for when no undo is on its way")
	}
}
