package diff

import (
	"strings"
	"testing"
)

func TestMerge3(t *testing.T) {
	for _, c := range []struct {
		name, base, ours, theirs string
		want                     string // "!" for a conflict
	}{
		{"only ours", "a\nb\n", "A\nb\n", "a\nb\n", "A\nb\n"},
		{"only theirs", "a\nb\n", "a\nb\n", "a\nB\n", "a\nB\n"},
		{"apart", "a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n"},
		{"beside each other", "a\nb\n", "A\nb\n", "a\nB\n", "A\nB\n"},
		{"a line put beside a changed one", "a\nb\n", "a\nB\n", "a\nx\nb\n", "a\nx\nB\n"},
		{"a line put after a changed one", "a\nb\n", "a\nB\n", "a\nb\nx\n", "a\nB\nx\n"},
		{"the same change", "a\nb\n", "a\nX\n", "a\nX\n", "a\nX\n"},
		{"the same change among others", "a\nb\nc\n", "A\nb\nC\n", "A\nb\nc\n", "A\nb\nC\n"},
		{"the same line put in, more after it", "a\n", "a\nx\n", "a\nx\ny\n", "a\nx\ny\n"},
		{"the same line put in, the next one changed", "a\nb\n", "a\nx\nb\n", "a\nx\nB\n", "a\nx\nB\n"},
		{"a doubled line is not the same as a changed one", "p\n", "p\np\n", "p\nq\n", "!"},
		{"different lines at one place", "a\nb\n", "a\nx\nb\n", "a\ny\nb\n", "!"},
		{"changed and deleted", "a\nb\nc\n", "a\nB\nc\n", "a\nc\n", "!"},
		{"put in where the other deletes", "a\nb\nc\nd\n", "a\nd\n", "a\nb\nx\nc\nd\n", "!"},
		{"put in beside what the other deletes", "a\nb\nc\n", "a\nc\n", "a\nx\nb\nc\n", "a\nx\nc\n"},
		{"words of one line", "foo(a, b)\n", "bar(a, b)\n", "foo(a, c)\n", "bar(a, c)\n"},
		{"neighbouring words of one line", "foo bar\n", "foo1 bar\n", "foo bar1\n", "!"},
		{"the same word of one line", "foo\n", "foo1\n", "foo2\n", "!"},
		{"one line, the same word and another", "f(a, b)\n", "g(a, b)\n", "g(a, c)\n", "g(a, c)\n"},
		{"one line, an insertion that reads in two ways", "f(g(a)\n", "f(g(a))\n", "x f(g(a))\n", "x f(g(a))\n"},
		{"text after a last line without end", "a\nb", "a\nb\nx", "a\nb\ny", "!"},
		{"the end of the last line goes, a line comes after", "a\nb\n", "a\nb", "a\nb\nc\n", "a\nb\nc"},
		{"a line after a last line without end, one before", "a\r\nb", "x\r\na\r\nb", "a\r\nb\r\ny", "x\r\na\r\nb\r\ny"},
		{"line ends", "a\r\nb\r\nc\r\n", "A\r\nb\r\nc\r\n", "a\r\nb\r\nC\r\n", "A\r\nb\r\nC\r\n"},
		{"from nothing", "", "a\n", "b\n", "!"},
		{"all deleted, all kept", "a\nb\n", "", "a\nb\n", ""},
		{"unsaved text and a write from the disk's text", "hello\nworld\n", "hello\nWORLD\n", "UNSAVED\nhello\nworld\n", "UNSAVED\nhello\nWORLD\n"},
	} {
		for range 2 {
			got, conflicts := Merge3(c.base, c.ours, c.theirs)
			if (len(conflicts) > 0) != (c.want == "!") || c.want != "!" && got != c.want {
				t.Errorf("%s: got %q, %+v", c.name, got, conflicts)
			}
			c.ours, c.theirs = c.theirs, c.ours
			c.name += ", sides swapped"
		}
	}
}

func TestConflictKeepsBothSides(t *testing.T) {
	got, conflicts := Merge3("a\nb\nc\nd\n", "A\nb\nours\nd\n", "a\nb\ntheirs\nd")
	want := Conflict{2, 3, "c\n", "ours\n", "theirs\n"}
	if len(conflicts) != 1 || conflicts[0] != want {
		t.Errorf("conflicts %+v, want %+v", conflicts, want)
	}
	if want := "A\nb\n<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\nd"; got != want {
		t.Errorf("merged %q", got)
	}
}

// A clean merge holds what each side typed, once; whichever side is which.
func TestMergeLosesAndDoublesNothing(t *testing.T) {
	clean := 0
	for seed := range uint64(60_000) {
		g := newGen(seed)
		base := g.text(g.IntN(16))
		ours := g.change(base, g.IntN(4), true)
		from := g.typed
		theirs := g.change(base, g.IntN(4), true)
		if checkMerge(t, base, ours, theirs) {
			clean++
			merged, _ := Merge3(base, ours, theirs)
			checkTags(t, g, merged, ours, theirs, base)
		}
		_ = from
	}
	t.Logf("%d of 60000 merge", clean)
	if clean < 20_000 {
		t.Errorf("only %d merge", clean)
	}
}

// checkMerge verifies the laws of Merge3 and reports whether it is clean.
func checkMerge(t testing.TB, base, ours, theirs string) bool {
	t.Helper()
	for _, c := range [][4]string{{base, ours, base, ours}, {base, base, theirs, theirs}, {base, ours, ours, ours}} {
		if got, cs := Merge3(c[0], c[1], c[2]); got != c[3] || cs != nil {
			t.Fatalf("merge(%q, %q, %q) = %q, %v", c[0], c[1], c[2], got, cs)
		}
	}
	m1, c1 := Merge3(base, ours, theirs)
	m2, c2 := Merge3(base, theirs, ours)
	if len(c1) != len(c2) || len(c1) == 0 && m1 != m2 {
		t.Fatalf("merge(%q, %q, %q) = %q, %v\nswapped: %q, %v", base, ours, theirs, m1, c1, m2, c2)
	}
	for i := range c1 {
		if c1[i] != (Conflict{c2[i].Start, c2[i].End, c2[i].Base, c2[i].Theirs, c2[i].Ours}) {
			t.Fatalf("merge(%q, %q, %q): conflict %d is %+v, swapped %+v", base, ours, theirs, i, c1[i], c2[i])
		}
	}
	return len(c1) == 0
}

func checkTags(t *testing.T, g *gen, merged, ours, theirs, base string) {
	t.Helper()
	for i := range g.typed {
		tag := "T" + itoa(i+1) + "z"
		want := max(strings.Count(ours, tag), strings.Count(theirs, tag))
		if strings.Count(base, tag) == 0 && strings.Count(merged, tag) != want {
			t.Fatalf("%s is %d times in the merge, want %d\nbase   %q\nours   %q\ntheirs %q\nmerged %q", tag, strings.Count(merged, tag), want, base, ours, theirs, merged)
		}
	}
}

func itoa(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return itoa(i/10) + itoa(i%10)
}

// Merging a change into a text that already has it, and more, must not put it
// in again: the result is that text or a conflict.
func TestMergeOfWhatIsAlreadyThere(t *testing.T) {
	clean := 0
	for seed := range uint64(60_000) {
		g := newGen(seed)
		base := g.text(g.IntN(16))
		ours := g.change(base, 1+g.IntN(3), true)
		theirs := g.change(ours, 1+g.IntN(3), false)
		merged, conflicts := Merge3(base, ours, theirs)
		if len(conflicts) > 0 {
			continue
		}
		clean++
		if merged != theirs {
			t.Fatalf("seed %d\nbase   %q\nours   %q\ntheirs %q\nmerged %q", seed, base, ours, theirs, merged)
		}
	}
	t.Logf("%d of 60000 merge", clean)
	if clean < 30_000 {
		t.Errorf("only %d merge", clean)
	}
}

func FuzzMerge3(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nB\nc\n", "a\nb\nc\nd\n")
	f.Add("f(a)\n", "g(a)\n", "f(b)")
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		checkMerge(t, base, ours, theirs)
	})
}

func BenchmarkMerge3(b *testing.B) {
	base, ours := big(1000, 0)
	theirs := base[:len(base)/2] + "typed\n" + base[len(base)/2:]
	for b.Loop() {
		Merge3(base, ours, theirs)
	}
}

func TestUnified(t *testing.T) {
	got := Unified("a/f", "b/f", "1\n2\n3\n4\n5\n6", "1\n2\nX\n4\n5\n6\n", 1)
	want := "--- a/f\n+++ b/f\n@@ -2,5 +2,5 @@\n 2\n-3\n+X\n 4\n 5\n-6\n\\ No newline at end of file\n+6\n"
	if got != want {
		t.Errorf("got %s", got)
	}
	if got := Unified("a", "b", "x", "x", 3); got != "" {
		t.Errorf("equal texts: %q", got)
	}
}
