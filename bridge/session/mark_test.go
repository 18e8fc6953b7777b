package session_test

import (
	"os"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

// TestTheMarkOfTheBaseOutlivesTheChangesAfterIt guards the byte order mark of what the user accepted: whatever commands and edits
// follow each other while one is pending, undoing all of them gives the bytes and the mode back, and a redo the others.
func TestTheMarkOfTheBaseOutlivesTheChangesAfterIt(t *testing.T) {
	files := map[string]string{"bom.txt": "\uFEFFm\nn\n", "mark.txt": "\uFEFF", "plain.txt": "m\nn\n"}
	for _, steps := range []string{
		`printf 'm\nn\nk\n' >bom.txt | echo l >>bom.txt`,
		`printf 'm\nn\n' >bom.txt | echo l >>bom.txt`,
		`printf 'm\nn\n' >bom.txt | mv bom.txt moved.txt`,
		`printf 'm\nn\n' >bom.txt | rm bom.txt`,
		`printf 'm\nn\n' >bom.txt | rm bom.txt | printf 'm\nn\n' >bom.txt`,
		`printf k >bom.txt | chmod 600 bom.txt; echo l >>bom.txt | rm bom.txt`,
		`rm bom.txt | printf k >bom.txt | echo l >>bom.txt`,
		`rm mark.txt | : >mark.txt | echo l >>mark.txt`,
		`: >mark.txt | echo k >mark.txt | : >mark.txt`,
		`printf '\357\273\277m\nn\n' >plain.txt | echo l >>plain.txt`,
		`printf '\357\273\277m\nn\n' >plain.txt | rm plain.txt`,
		`printf '\357\273\277m\nk\n' >plain.txt | printf k >plain.txt | printf '\357\273\277k\n' >plain.txt`,
		`rm bom.txt; printf k >bom.txt`,
		`printf 'm\nn\nk\n' >bom.txt | chmod 755 bom.txt; echo l >>bom.txt`,
		`mv bom.txt moved.txt | printf k >bom.txt | echo l >>bom.txt | rm moved.txt`,
	} {
		t.Run(steps, func(t *testing.T) {
			r, turn := atWork(t, files, plain)
			for name := range files {
				if err := os.Chmod(r.path(name), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			for step := range strings.SplitSeq(steps, " | ") {
				r.bash(step)
			}
			r.finish(turn)
			r.undoAll()
			for name, text := range files {
				if info, err := os.Stat(r.path(name)); err != nil || r.disk(name) != text || info.Mode().Perm() != 0o640 {
					t.Errorf("undone, %s has %q, %v", name, r.disk(name), info)
				}
			}
			if got := r.review(); len(got) > 0 {
				t.Errorf("undone, in review: %q", got)
			}
		})
	}
}

// TestAMarkAloneIsKeptUndoneAndRedone: where only the byte order mark came or went, that is a change like others.
func TestAMarkAloneIsKeptUndoneAndRedone(t *testing.T) {
	r, turn := atWork(t, map[string]string{"a.txt": "\uFEFFm\n"}, plain)
	r.bash(`printf 'm\n' >a.txt`)
	r.finish(turn)
	f := r.b.Review(r.ctx, review.Filter{})
	if len(f) != 1 || len(f[0].Hunks) != 1 || !f[0].Undoable {
		t.Fatalf("in review: %+v", f)
	}
	one := review.Selector{Hunks: []string{f[0].Hunks[0].ID}}
	for range 2 {
		if n, conflicts := r.b.Undo(r.ctx, one); n != 1 || len(conflicts) > 0 || r.disk("a.txt") != "\uFEFFm\n" {
			t.Fatalf("undone: %d, %v, the disk has %q", n, conflicts, r.disk("a.txt"))
		}
		if n, conflicts := r.b.Redo(r.ctx, one); n != 1 || len(conflicts) > 0 || r.disk("a.txt") != "m\n" {
			t.Fatalf("redone: %d, %v, the disk has %q", n, conflicts, r.disk("a.txt"))
		}
		if got := r.review(); len(got) != 1 {
			t.Fatalf("redone, in review: %q", got)
		}
	}
	if n, conflicts := r.b.Keep(one); n != 1 || len(conflicts) > 0 {
		t.Fatalf("kept: %d, %v", n, conflicts)
	}
	if got := r.review(); len(got) > 0 || r.disk("a.txt") != "m\n" {
		t.Errorf("kept, in review %q, the disk has %q", got, r.disk("a.txt"))
	}
}
