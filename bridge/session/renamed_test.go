package session_test

import (
	"os"
	"slices"
	"testing"
)

// rename renames a file or a folder on disk, as an editor's explorer does before it tells anybody.
func (r *rig) rename(from, to string) {
	r.t.Helper()
	if err := os.Rename(r.path(from), r.path(to)); err != nil {
		r.t.Fatal(err)
	}
}

// TestWhatIsPendingFollowsARename guards that hunks go with the file that the user renames in the editor, whatever the editor
// tells first, and also where they are in a buffer alone: undoing them gives the file's own text back, under the new name.
func TestWhatIsPendingFollowsARename(t *testing.T) {
	t.Parallel()
	const old, typed = "one\ntwo\nthree\nfour\n", "one\ntwo\nthree\nfour\nmine\n"
	unsaved := func(r *rig, name string) { r.buffer(name, "one\nTWO\nthree\nfour\nmine\n") }
	for name, c := range map[string]struct {
		buffer string // what is in it before the turn, "" for none
		rename func(r *rig)
		want   string
	}{
		"not open": {"", func(r *rig) { r.b.FileRenamed(r.path("a.txt"), r.path("b.txt")) }, old},
		"open, told before the buffers": {old, func(r *rig) {
			r.b.FileRenamed(r.path("a.txt"), r.path("b.txt"))
			r.editor.Close(r.path("a.txt"))
			r.buffer("b.txt")
		}, old},
		"open, told after the buffers": {old, func(r *rig) {
			r.editor.Close(r.path("a.txt"))
			r.buffer("b.txt")
			r.b.FileRenamed(r.path("a.txt"), r.path("b.txt"))
		}, old},
		"unsaved, told before the buffers": {typed, func(r *rig) {
			r.b.FileRenamed(r.path("a.txt"), r.path("b.txt"))
			r.editor.Close(r.path("a.txt"))
			unsaved(r, "b.txt")
		}, typed},
		"unsaved, told after the buffers": {typed, func(r *rig) {
			r.editor.Close(r.path("a.txt"))
			unsaved(r, "b.txt")
			r.b.FileRenamed(r.path("a.txt"), r.path("b.txt"))
		}, typed},
		"unsaved, told between the buffers": {typed, func(r *rig) {
			unsaved(r, "b.txt")
			r.b.FileRenamed(r.path("a.txt"), r.path("b.txt"))
			r.editor.Close(r.path("a.txt"))
		}, typed},
		"unsaved, asked between the buffers": {typed, func(r *rig) {
			r.b.FileRenamed(r.path("a.txt"), r.path("b.txt"))
			r.editor.Close(r.path("a.txt"))
			r.review()
			unsaved(r, "b.txt")
		}, typed},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, map[string]string{"a.txt": old}, toolTurn).open()
			if c.buffer != "" {
				r.buffer("a.txt", c.buffer)
			}
			if c.buffer == old {
				r.buffer("a.txt")
			}
			r.inTurn(func(l *link) {
				if _, err := r.edit(l, "a.txt", "two", "TWO"); err != nil {
					t.Error(err)
				}
			})
			r.rename("a.txt", "b.txt")
			c.rename(r)
			if got := r.review(); !slices.Equal(got, []string{`edit b.txt: "two\n" → "TWO\n"`}) {
				t.Fatalf("in review: %q", got)
			}
			r.undoAll()
			got := r.disk("b.txt")
			if c.buffer != "" {
				got = r.bufferText("b.txt")
			}
			if got != c.want || r.disk("b.txt") != old {
				t.Errorf("undone, the text is %q, on disk %q", got, r.disk("b.txt"))
			}
			if _, err := os.Stat(r.path("a.txt")); err == nil {
				t.Error("the old name is back")
			}
		})
	}
}

// TestFoldersAreRenamedAndDeletedWhole guards files, deleted ones and moved ones in a folder that the user renames, and that
// nothing is left to decide of what the user deletes.
func TestFoldersAreRenamedAndDeletedWhole(t *testing.T) {
	t.Parallel()
	r, turn := atWork(t, map[string]string{"d/a.txt": "a\n", "d/gone.txt": "gone\n", "d/from.txt": "moved\n", "dx/a.txt": "x\n"}, plain)
	r.bash("echo b > d/a.txt; rm d/gone.txt; mv d/from.txt to.txt; mkdir d/new; echo n > d/new/n.txt; echo y > dx/a.txt")
	r.finish(turn)
	r.rename("d", "e")
	r.b.FileRenamed(r.path("d"), r.path("e"))
	want := []string{
		`edit dx/a.txt: "x\n" → "y\n"`, `edit e/a.txt: "a\n" → "b\n"`, `delete e/gone.txt: "gone\n" → ""`,
		`create e/new/n.txt: "" → "n\n"`, `move to.txt from e/from.txt`,
	}
	if got := r.review(); !slices.Equal(got, want) {
		t.Fatalf("in review:\n%q, want\n%q", got, want)
	}
	r.undoAll()
	for name, text := range map[string]string{"e/a.txt": "a\n", "e/gone.txt": "gone\n", "e/from.txt": "moved\n", "dx/a.txt": "x\n"} {
		if got := r.disk(name); got != text {
			t.Errorf("undone, %s is %q", name, got)
		}
	}
	for _, name := range []string{"d", "e/new", "to.txt"} {
		if _, err := os.Stat(r.path(name)); err == nil {
			t.Errorf("undone, %s is there", name)
		}
	}
}

// TestWhatTheUserDeletesIsDecided guards a file and a folder that are deleted in the editor, a name that was only said to be, and a
// deleted file that is there again.
func TestWhatTheUserDeletesIsDecided(t *testing.T) {
	t.Parallel()
	r, turn := atWork(t, map[string]string{"a.txt": "a\n", "d/b.txt": "b\n", "c.txt": "c\n", "gone.txt": "gone\n"}, plain)
	r.bash("echo 1 > a.txt; echo 1 > d/b.txt; echo 1 > c.txt; rm gone.txt")
	r.finish(turn)
	for _, name := range []string{"a.txt", "d"} {
		if err := os.RemoveAll(r.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a.txt", "d", "c.txt"} {
		r.b.FileDeleted(r.path(name))
	}
	if got := r.review(); !slices.Equal(got, []string{`edit c.txt: "c\n" → "1\n"`, `delete gone.txt: "gone\n" → ""`}) {
		t.Errorf("in review: %q", got)
	}
	r.put("gone.txt", "the user's\n")
	r.b.FileCreated(r.path("gone.txt"))
	r.b.FileRenamed(r.path("c.txt"), r.path("not there")) // the editor is wrong
	if got := r.review(); !slices.Equal(got, []string{`edit c.txt: "c\n" → "1\n"`}) {
		t.Errorf("in review: %q", got)
	}
}
