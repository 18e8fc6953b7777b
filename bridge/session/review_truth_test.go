package session_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/fsproxytest"
)

// retype replaces what is in an open buffer.
func (r *rig) retype(name, text string) {
	old, _ := r.editor.Text(r.path(name))
	r.editor.Replace(r.path(name), 0, len(old), text)
}

// hunksShown waits until the editor was shown so many pending hunks of a file, without asking for them.
func (r *rig) hunksShown(name string, want int) {
	r.t.Helper()
	r.until(fmt.Sprintf("%d hunks of %s", want, name), func(events []Event) bool {
		n := -1
		for _, e := range events {
			if c, ok := e.(*ReviewChanged); ok && c.Path == r.path(name) {
				n = len(c.Hunks)
			}
		}
		return n == want
	})
}

// TestABufferThatIsClosedUnsavedTakesItsChangesAlong guards the book after "Don't save": what was in the buffer alone is gone
// without anybody asking, what is on disk is still pending, and a buffer that is back brings its changes back as pending.
func TestABufferThatIsClosedUnsavedTakesItsChangesAlong(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\ntwo\nthree\nfour\n"}, toolTurn).open()
	const typed = "one\ntwo\nthree\nfour\nmine\n"
	r.buffer("a.txt", typed)
	r.inTurn(func(l *link) {
		if _, err := r.edit(l, "a.txt", "two", "TWO"); err != nil {
			t.Error(err)
		}
	})
	r.hunksShown("a.txt", 1)
	r.editor.Close(r.path("a.txt"))
	r.hunksShown("a.txt", 0)
	if got := r.review(); len(got) > 0 || r.disk("a.txt") != "one\ntwo\nthree\nfour\n" {
		t.Errorf("in review %q, on disk %q", got, r.disk("a.txt"))
	}
	r.buffer("a.txt", strings.Replace(typed, "two", "TWO", 1)) // recovered
	r.hunksShown("a.txt", 1)
	r.undoAll()
	if got := r.bufferText("a.txt"); got != typed {
		t.Errorf("undone, the buffer has %q", got)
	}
}

// TestWhatIsOnDiskStaysPendingWithoutItsBuffer: the change was saved, the user's typing after it was not.
func TestWhatIsOnDiskStaysPendingWithoutItsBuffer(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"a.txt": "one\ntwo\nthree\n"}, toolTurn).open()
	r.buffer("a.txt")
	r.inTurn(func(l *link) {
		if _, err := r.edit(l, "a.txt", "two", "TWO"); err != nil {
			t.Error(err)
		}
	})
	r.retype("a.txt", "one\ntwo\nthree\nmine\n") // taken back by hand, and typed on
	r.hunksShown("a.txt", 0)
	r.editor.Close(r.path("a.txt"))
	r.hunksShown("a.txt", 1)
	if got := r.review(); !slices.Equal(got, []string{`edit a.txt: "two\n" → "TWO\n"`}) {
		t.Errorf("in review: %q", got)
	}
	r.undoAll()
	if got := r.disk("a.txt"); got != "one\ntwo\nthree\n" {
		t.Errorf("undone, the disk has %q", got)
	}
}

// TestADeletionStaysUndoableWhateverBuffersShow guards the old text of a file that the agent has deleted: a buffer with its
// name is not the file, be it empty, the old text, or typed in, be it closed or wiped; the file is there when it is on disk.
func TestADeletionStaysUndoableWhateverBuffersShow(t *testing.T) {
	t.Parallel()
	const old = "old\r\ntext"
	for name, visit := range map[string]func(r *rig){
		"not visited":              func(*rig) {},
		"visited":                  func(r *rig) { r.buffer("a.txt") },
		"visited by Neovim":        func(r *rig) { r.b.Overlay().Open(r.path("a.txt"), 1, "\n") },
		"visited and closed":       func(r *rig) { r.buffer("a.txt"); r.editor.Close(r.path("a.txt")) },
		"typed in and not saved":   func(r *rig) { r.buffer("a.txt", "typed\n"); r.editor.Close(r.path("a.txt")) },
		"typed in":                 func(r *rig) { r.buffer("a.txt", "typed\n") },
		"visited in another place": func(r *rig) { r.buffer("b/../a.txt") },
	} {
		t.Run(name, func(t *testing.T) {
			r, turn := atWork(t, map[string]string{"a.txt": old, "b/b.txt": ""}, plain)
			if err := os.Chmod(r.path("a.txt"), 0o750); err != nil {
				t.Fatal(err)
			}
			r.bash("rm a.txt")
			r.finish(turn)
			visit(r)
			if got := r.review(); !slices.Equal(got, []string{`delete a.txt: "old\r\ntext" → ""`}) {
				t.Fatalf("in review: %q", got)
			}
			r.undoAll()
			info, err := os.Stat(r.path("a.txt"))
			if err != nil || r.disk("a.txt") != old || info.Mode().Perm() != 0o750 {
				t.Errorf("undone, the disk has %q, %v", r.disk("a.txt"), info)
			}
			if got := r.review(); len(got) > 0 {
				t.Errorf("left in review: %q", got)
			}
			if got := r.bufferText("a.txt"); strings.HasPrefix(name, "typed in") && name != "typed in and not saved" && got != "typed\n" {
				t.Errorf("the user's buffer has %q", got)
			}
		})
	}
	t.Run("the old buffer", func(t *testing.T) { // it was open all the time, and is saved
		r, turn := atWork(t, map[string]string{"a.txt": "old\n"}, plain)
		r.buffer("a.txt")
		r.bash("rm a.txt")
		r.finish(turn)
		r.retype("a.txt", "old\nmore\n")
		if got := r.review(); !slices.Equal(got, []string{`delete a.txt: "old\n" → ""`}) {
			t.Fatalf("in review: %q", got)
		}
		if err := r.editor.SaveFile(r.path("a.txt")); err != nil {
			t.Fatal(err)
		}
		if got := r.review(); len(got) > 0 || r.disk("a.txt") != "old\nmore\n" {
			t.Errorf("the user has saved it: %q, on disk %q", got, r.disk("a.txt"))
		}
	})
}

// TestUndoGivesTheBytesBack: whatever the file is made of, the editor shows and saves, undoing all of a turn leaves the bytes and
// the mode that were there, and a dirty buffer's disk is not touched.
func TestUndoGivesTheBytesBack(t *testing.T) {
	t.Parallel()
	corpus := map[string]string{
		"plain": "one\ntwo\n", "no last end": "one\ntwo", "one line": "two", "CRLF": "one\r\ntwo\r\n", "CRLF, no last end": "one\r\ntwo",
		"BOM": "\uFEFFone\ntwo\n", "BOM, CRLF": "\uFEFFone\r\ntwo\r\n", "mixed ends": "one\r\ntwo\nthree\r\n", "lone CR": "one\rtwo\n",
		"blank lines at the end": "two\n\n\n", "only two and blanks": "  two\n\n", "not ASCII": "ä\n🙂two\n",
	}
	edits := map[string][2]string{"changed": {"two", "TWO"}, "extended": {"two", "two\nmore\nand more\n"}, "extended, no end": {"two", "two\nmore"}, "emptied": {"two", ""}}
	for _, state := range []string{"closed", "open", "marked", "Neovim", "dirty", "closed since", "opened since"} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			files, edit := map[string]string{}, map[string][2]string{}
			for what, base := range corpus {
				for how, e := range edits {
					name := strings.NewReplacer(" ", "-", ",", "").Replace(what + "/" + how)
					files[name], edit[name] = base, e
				}
			}
			r := newRig(t, files, toolTurn).open()
			if state == "Neovim" {
				r.editor.Kind, r.editor.FixEnd = fsproxytest.Neovim, true
			}
			r.editor.Mark = state == "marked"
			unsaved := map[string]string{}
			for name, base := range files {
				if err := os.Chmod(r.path(name), 0o640); err != nil {
					t.Fatal(err)
				}
				switch state {
				case "open", "marked", "Neovim", "closed since":
					r.buffer(name)
				case "dirty":
					unsaved[name] = "mine\n" + strings.TrimPrefix(base, host.ByteOrderMark)
					r.buffer(name, unsaved[name])
				}
			}
			r.inTurn(func(l *link) {
				for name, e := range edit {
					if _, err := r.edit(l, name, e[0], e[1]); err != nil {
						t.Error(err)
					}
				}
			})
			for name, base := range files {
				if state != "dirty" && r.disk(name) == base {
					t.Errorf("%s: the edit is not on disk", name)
				}
				switch state {
				case "closed since":
					r.editor.Close(r.path(name))
				case "opened since":
					r.buffer(name)
				}
			}
			r.undoAll()
			for name, base := range files {
				info, err := os.Stat(r.path(name))
				if err != nil || r.disk(name) != base || info.Mode().Perm() != 0o640 {
					t.Errorf("%s: the disk has %q with mode %v, want %q", name, r.disk(name), info.Mode(), base)
				}
				if want := unsaved[name]; want != "" && r.bufferText(name) != want {
					t.Errorf("%s: the buffer has %q, want %q", name, r.bufferText(name), want)
				}
			}
			if got := r.b.Review(r.ctx, review.Filter{}); len(got) > 0 {
				t.Errorf("left in review: %v", got)
			}
		})
	}
}
