package review

import (
	"slices"
	"strings"
	"testing"
)

// decideLines keeps or undoes lines of the text, and looks what became of the text and the base.
func decideLines(t *testing.T, b *Book, path, action string, start, end int) []Conflict {
	t.Helper()
	sel := Selector{Path: path, Lines: &Lines{start, end}}
	if action == "keep" {
		_, conflicts := b.Keep(sel)
		return conflicts
	}
	us, conflicts := b.PlanUndo(sel)
	for _, u := range us {
		if _, bad := b.Done(u, u.Target); len(bad) > 0 {
			t.Fatalf("%v", bad)
		}
	}
	return conflicts
}

// TestLinesAreDecidedAlone: what is kept or undone of a hunk is the lines that were picked, and the rest of it stays pending.
func TestLinesAreDecidedAlone(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		start, end          int
		keptBase            string // the base after the lines are kept
		undone              string // the text after they are undone
		left                int    // hunks that stay
	}{
		{"one of two changed lines", "a\nb\nc\n", "A\nB\nc\n", 0, 1, "A\nb\nc\n", "a\nB\nc\n", 1},
		{"the line in the middle", "a\nb\nc\n", "A\nB\nC\n", 1, 2, "a\nB\nc\n", "A\nb\nC\n", 2},
		{"new lines, one of them", "x\n", "x\none\ntwo\nthree\n", 2, 3, "x\ntwo\n", "x\none\nthree\n", 2},
		{"by what they say", "func a() {}\nfunc b() {}\n", "// says a\nfunc a() { x }\nfunc b() { y }\n", 1, 2, "func a() { x }\nfunc b() {}\n", "// says a\nfunc a() {}\nfunc b() { y }\n", 2},
		{"what was taken out below goes along", "one thing\ngone\ntwo things\n", "1 thing\n2 things\n", 0, 1, "1 thing\ntwo things\n", "one thing\ngone\n2 things\n", 1},
		{"all of it", "a\nb\n", "A\nB\n", 0, 2, "A\nB\n", "a\nb\n", 0},
		{"more than it", "x\na\nb\ny\n", "x\nA\nB\ny\n", 0, 4, "x\nA\nB\ny\n", "x\na\nb\ny\n", 0},
		{"two hunks, half of each", "a\nb\nx\nc\nd\n", "A\nB\nx\nC\nD\n", 1, 4, "a\nB\nx\nC\nd\n", "A\nb\nx\nc\nD\n", 2},
		{"a deletion at the line", "a\nb\nc\n", "a\nc\n", 1, 2, "a\nc\n", "a\nb\nc\n", 0},
		{"the last line has no end", "a\nb", "A\nB", 0, 1, "A\nb", "a\nB", 1},
		{"a file that is new", "", "one\ntwo\n", 0, 1, "one\n", "two\n", 1},
		{"nothing there", "a\nb\nc\nd\n", "A\nb\nc\nd\n", 2, 4, "a\nb\nc\nd\n", "A\nb\nc\nd\n", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, action := range []string{"keep", "undo"} {
				b := memory(t)
				kind := KindEdit
				if c.before == "" {
					kind = KindCreate
				}
				if err := b.Record([]Change{{Session: "s", Turn: "t1", Path: "/f", Kind: kind, Before: c.before, After: c.after, BeforeExists: c.before != ""}}); err != nil {
					t.Fatal(err)
				}
				if bad := decideLines(t, b, "/f", action, c.start, c.end); len(bad) > 0 {
					t.Fatalf("%s: %v", action, bad)
				}
				checkFile(t, b, "/f", func() string { return c.name + " " + action })
				base, ok := b.Base("/f")
				if !ok {
					base, _ = b.Text("/f")
				}
				text, _ := b.Text("/f")
				if action == "keep" && (base != c.keptBase || text != c.after) || action == "undo" && text != c.undone {
					t.Errorf("%s: the base is %q, the text %q", action, base, text)
				}
				n := 0
				for _, f := range b.Files(Filter{}) {
					n += len(f.Hunks)
				}
				if n != c.left {
					t.Errorf("%s: %d hunks are left", action, n)
				}
				if _, bad := b.Keep(Selector{All: true}); len(bad) > 0 {
					t.Errorf("%v", bad)
				}
			}
		})
	}
}

// TestALineOfSeveralTurns: the parts of a hunk that several turns have changed know what each had a part in.
func TestALineOfSeveralTurns(t *testing.T) {
	b := memory(t)
	for _, c := range []Change{
		{Turn: "t1", Before: "a\nb\nc\n", After: "A\nB\nc\n"},
		{Turn: "t2", Before: "A\nB\nc\n", After: "A\nB2\nC\n"},
	} {
		c.Session, c.Path, c.Kind, c.BeforeExists = "s", "/f", KindEdit, true
		if err := b.Record([]Change{c}); err != nil {
			t.Fatal(err)
		}
	}
	b.Keep(Selector{Path: "/f", Lines: &Lines{1, 2}})
	var turns []string
	for _, h := range b.Files(Filter{})[0].Hunks {
		turns = append(turns, h.Turn+" "+strings.TrimSpace(h.NewText))
	}
	if base, _ := b.Base("/f"); base != "a\nB2\nc\n" || !slices.Equal(turns, []string{"t1 A", "t2 C"}) {
		t.Errorf("the base is %q, left is %q", base, turns)
	}
}

// TestLinesAreNotDecidedWithOthers: where lines cannot be told apart from those beside them, nothing is decided.
func TestLinesAreNotDecidedWithOthers(t *testing.T) {
	b := memory(t)
	if err := b.Record([]Change{{Session: "s", Turn: "t1", Path: "/f", Kind: KindEdit, Before: "a", After: "a2\nb\n", BeforeExists: true}}); err != nil {
		t.Fatal(err)
	}
	n, bad := b.Keep(Selector{Path: "/f", Lines: &Lines{1, 2}})
	if base, _ := b.Base("/f"); n != 0 || len(bad) != 1 || bad[0].Reason != glueReason || base != "a" {
		t.Errorf("%d kept, %v, the base is %q", n, bad, base)
	}
	p, err := b.Begin(Change{Session: "s", Turn: "t1", Path: "/f", Kind: KindEdit, Before: "a2\nb\n", After: "a2\nb\nc\n", BeforeExists: true})
	if err != nil {
		t.Fatal(err)
	}
	if n, bad := b.Keep(Selector{Path: "/f", Lines: &Lines{0, 1}}); n != 0 || len(bad) != 1 || bad[0].Reason != busyReason {
		t.Errorf("while a change is on its way: %d kept, %v", n, bad)
	}
	p.Abort()
}
