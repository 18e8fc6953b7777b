package diff

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           []Hunk
	}{
		{"equal", "a\nb\n", "a\nb\n", nil},
		{"from nothing", "", "a\nb", []Hunk{{0, 0, 0, 2}}},
		{"to nothing", "a\nb", "", []Hunk{{0, 2, 0, 0}}},
		{"one line", "a\nb\nc\n", "a\nX\nc\n", []Hunk{{1, 2, 1, 2}}},
		{"two hunks", "a\nb\nc\nd\n", "A\nb\nc\nd\ne\n", []Hunk{{0, 1, 0, 1}, {4, 4, 4, 5}}},
		{"a changed line end is a changed line", "a\r\nb\r\n", "a\nb\r\n", []Hunk{{0, 1, 0, 1}}},
		{"final newline", "a\nb", "a\nb\n", []Hunk{{1, 2, 1, 2}}},
		{"a new function ends with its blank line", "f {\n}\n\ng {\n}\n", "f {\n}\n\nn {\n}\n\ng {\n}\n", []Hunk{{3, 3, 3, 6}}},
		{"repeated lines, none of them unique", "x\ny\nx\ny\nx\n", "x\ny\nz\nx\ny\nx\n", []Hunk{{2, 2, 2, 3}}},
	} {
		if d := cmp.Diff(c.want, Lines(c.old, c.new)); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// check verifies that hs leads from old to new, in order and with unchanged
// lines between.
func check(t testing.TB, old, new string, hs []Hunk) {
	t.Helper()
	a, b := split(old), split(new)
	i, j := 0, 0
	for k, h := range hs {
		if h.OldStart-i != h.NewStart-j || k > 0 && h.OldStart <= i || h.OldEnd < h.OldStart || h.NewEnd < h.NewStart ||
			h.OldStart == h.OldEnd && h.NewStart == h.NewEnd {
			t.Fatalf("hunk %d of %v is out of place\nold %q\nnew %q", k, hs, old, new)
		}
		if join(a[i:h.OldStart]) != join(b[j:h.NewStart]) {
			t.Fatalf("before hunk %d of %v the texts differ\nold %q\nnew %q", k, hs, old, new)
		}
		i, j = h.OldEnd, h.NewEnd
	}
	if join(a[i:]) != join(b[j:]) {
		t.Fatalf("after the hunks %v the texts differ\nold %q\nnew %q", hs, old, new)
	}
}

func TestLinesOfRandomTexts(t *testing.T) {
	for seed := range uint64(20_000) {
		g := newGen(seed)
		old := g.text(g.IntN(25))
		new := g.change(old, g.IntN(6), true)
		if seed%3 == 0 {
			new = g.text(g.IntN(25))
		}
		check(t, old, new, Lines(old, new))
	}
}

// The search alone must find a shortest path: compared with the textbook table.
func TestSearchIsShortest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		a, b := make([]int32, r.IntN(14)), make([]int32, r.IntN(14))
		for i := range a {
			a[i] = int32(r.IntN(4))
		}
		for i := range b {
			b[i] = int32(r.IntN(4))
		}
		c := newComparison(a, b, 4)
		if len(a) > 0 && len(b) > 0 {
			c.left = []stretch{{0, len(a), 0, len(b)}}
		} else {
			mark(c.goneA, 0, len(a))
			mark(c.goneB, 0, len(b))
		}
		c.search()
		got := 0
		for _, g := range append(c.goneA, c.goneB...) {
			if g {
				got++
			}
		}
		if want := distance(a, b); got != want {
			t.Fatalf("%v to %v: %d steps, the shortest path has %d", a, b, got, want)
		}
	}
}

func distance(a, b []int32) int {
	d := make([]int, len(b)+1)
	for j := range d {
		d[j] = j
	}
	for i := range a {
		diag := d[0]
		d[0] = i + 1
		for j := range b {
			next := min(d[j], d[j+1]) + 1
			if a[i] == b[j] {
				next = diag
			}
			diag, d[j+1] = d[j+1], next
		}
	}
	return d[len(b)]
}

// big gives 100,000 lines and the same with n changes; words is how many
// different lines there are, 0 for all different.
func big(n, words int) (old, new string) {
	r := rand.New(rand.NewPCG(3, 4))
	lines := make([]string, 100_000)
	for i := range lines {
		k := i
		if words > 0 {
			k = r.IntN(words)
		}
		lines[i] = "\tsome line of ordinary length, number " + strconv.Itoa(k) + "\n"
	}
	old = join(lines)
	for i := range n {
		at := r.IntN(len(lines))
		switch i % 3 {
		case 0:
			lines[at] = "changed " + strconv.Itoa(i) + "\n"
		case 1:
			lines[at] += "put in " + strconv.Itoa(i) + "\n"
		default:
			lines[at] = ""
		}
	}
	return old, join(lines)
}

// hopeless gives two long texts without any order in common.
func hopeless(words int) (old, new string) {
	r := rand.New(rand.NewPCG(5, 6))
	var a, b strings.Builder
	for range 100_000 {
		a.WriteString(strconv.Itoa(r.IntN(words)) + "\n")
		b.WriteString(strconv.Itoa(r.IntN(words)) + "\n")
	}
	return "x\n" + a.String(), "y\n" + b.String()
}

func TestHopelessPairIsOneHunk(t *testing.T) {
	for _, words := range []int{2, 10, 300} {
		old, new := hopeless(words)
		start := time.Now()
		hs := Lines(old, new)
		t.Logf("%d words: %d hunks in %v", words, len(hs), time.Since(start))
		check(t, old, new, hs)
		if len(hs) != 1 {
			t.Errorf("%d words: %d hunks, want one", words, len(hs))
		}
	}
}

// One hopeless stretch must not cost the detail of the rest.
func TestHopelessStretchStaysAlone(t *testing.T) {
	old, new := hopeless(10)
	old, new = "one\nfirst\ntwo\n"+old+"three\nlast\nfour\n", "one\nFIRST\ntwo\n"+new+"three\nLAST\nfour\n"
	hs := Lines(old, new)
	check(t, old, new, hs)
	if len(hs) != 3 {
		t.Errorf("%d hunks, want 3", len(hs))
	}
}

func BenchmarkLines(b *testing.B) {
	run := func(name, old, new string) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(old)))
			for b.Loop() {
				Lines(old, new)
			}
		})
	}
	old, new := big(1000, 0)
	run("100k lines, 1000 changes", old, new)
	old, new = big(1000, 20)
	run("100k lines of 20 words, 1000 changes", old, new)
	old, new = hopeless(10)
	run("100k lines, hopeless", old, new)
	old, new = hopeless(300)
	run("100k lines of 300 words, hopeless", old, new)
	old, new = big(0, 0)
	run("100k lines, one change", old, old[:len(old)/2]+"x"+old[len(old)/2:])
	_ = new
}
