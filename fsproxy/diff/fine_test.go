package diff

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"abc\n", "abc\n", 0},
		{"abc\n", "aXc\n", 2},
		{"", "x𝒳\n", 3},
		{"one\ntwo\nthree\n", "one\ntxwo\nthre\nfour\n", 7},
		{"a丙丏\n", "a丏\n", 1},
	} {
		if got := Distance(c.a, c.b); got != c.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
		if got := Distance(c.b, c.a); got != c.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", c.b, c.a, got, c.want)
		}
	}
}

func TestFine(t *testing.T) {
	got := Fine("a\nb c d\n", "a\nXb c Yd\nz\n")
	want := []Edit{{2, 2, "X"}, {6, 6, "Y"}, {7, 7, "\nz"}}
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	for seed := range uint64(5000) {
		g := newGen(seed)
		old := g.text(g.IntN(15))
		new := g.change(old, g.IntN(6), true)
		if got, err := Apply(old, Fine(old, new)); err != nil || got != new {
			t.Fatalf("%q to %q: %q, %v", old, new, got, err)
		}
	}
}

func TestWeave(t *testing.T) {
	for _, c := range []struct {
		base string
		a, b []Edit
		want string
	}{
		{"abc", nil, nil, "abc"},
		{"abc", []Edit{{1, 2, "X"}}, []Edit{{1, 2, "X"}}, "aXc"},
		{"abc", []Edit{{1, 1, "X"}}, []Edit{{1, 1, "Y"}}, "aYXbc"},
		{"abcdef", []Edit{{1, 5, "X"}}, []Edit{{3, 3, "Y"}}, "aXYf"},
		{"abcdef", []Edit{{3, 3, "Y"}, {4, 6, ""}}, []Edit{{1, 5, "X"}}, "aXY"},
		{"abcdef", []Edit{{1, 3, ""}}, []Edit{{2, 4, ""}}, "aef"},
	} {
		if got := Weave(c.base, c.a, c.b); got != c.want {
			t.Errorf("Weave(%q, %v, %v) = %q, want %q", c.base, c.a, c.b, got, c.want)
		}
	}
	// What is typed is there once, whatever else is taken out.
	for seed := range uint64(5000) {
		g := newGen(seed)
		base := g.text(g.IntN(12))
		ours := g.change(base, g.IntN(4), true)
		theirs := g.change(base, g.IntN(4), true)
		checkTags(t, g, Weave(base, Fine(base, ours), Fine(base, theirs)), ours, theirs, base)
	}
}
