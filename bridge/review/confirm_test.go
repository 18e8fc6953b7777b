package review

import "testing"

// TestAnUndoThatWasSeenBeforeItIsConfirmedCounts: anyone who saw the text first, what is undone is said to be undone, also where
// other lines have changed with it, and a hunk that is still there is said to be.
func TestAnUndoThatWasSeenBeforeItIsConfirmedCounts(t *testing.T) {
	const base, now = "a\nb\nc\nd\ne\n", "a\nB\nc\nD\ne\n"
	for _, c := range []struct {
		name     string
		seen     []string // one after the other, before the answer
		resolved int
	}{
		{"not seen", nil, 1},
		{"as planned", []string{"a\nb\nc\nD\ne\n"}, 1},
		{"another line first", []string{"A\nB\nc\nD\ne\n", "A\nb\nc\nD\ne\n"}, 1},
		{"with other lines", []string{"x\ny\nz\na\nb\nc\nD\ne\nv\nw\n"}, 1},
		{"undone by hand, then another line", []string{"a\nb\nc\nD\ne\n", "A\nb\nc\nD\nE\n"}, 1},
		{"all undone", []string{"A\nb\nc\nD\ne\n", "A\nb\nc\nd\ne\n"}, 1},
		{"the other one undone", []string{"a\nB\nc\nd\ne\n"}, 0},
		{"other text there", []string{"a\nmine\nc\nD\ne\n"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := memory(t)
			agent(t, b, "t", "/a", base, now)
			id := b.Files(Filter{})[0].Hunks[0].ID
			us, cs := b.PlanUndo(Selector{Hunks: []string{id}})
			if len(us) != 1 || len(cs) > 0 {
				t.Fatal(us, cs)
			}
			actual := us[0].Target
			for _, text := range c.seen {
				b.Reconcile("/a", text, true)
				actual = text
			}
			n, cs := b.Done(us[0], actual)
			if n != c.resolved || len(cs) != 1-c.resolved {
				t.Errorf("resolved %d, %v", n, cs)
			}
			left := false
			for _, f := range b.Files(Filter{}) {
				for _, h := range f.Hunks {
					left = left || h.ID == id
				}
			}
			if left != (c.resolved == 0) {
				t.Errorf("the hunk is pending: %v; %s", left, shape(b, "/a"))
			}
		})
	}
}

// TestWhatWasReadBeforeAnUndoIsNoNews: a text that was read before an undo, and is told after it, is not the user's taking it back.
func TestWhatWasReadBeforeAnUndoIsNoNews(t *testing.T) {
	b := memory(t)
	agent(t, b, "t", "/a", "1\n", "2\n")
	before := b.Changes()
	if _, conflicts := undo(t, b, Selector{All: true}); len(conflicts) > 0 {
		t.Fatal(conflicts)
	}
	if b.ReconcileAsOf(before, "/a", "2\n", true) || len(b.Files(Filter{})) > 0 {
		t.Errorf("what was read before the undo counts: %+v", b.Files(Filter{}))
	}
	if !b.ReconcileAsOf(b.Changes(), "/a", "1\n", true) || len(b.Files(Filter{})) > 0 {
		t.Errorf("what was read after it does not: %+v", b.Files(Filter{}))
	}
}
