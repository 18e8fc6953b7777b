package lines

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// Blocks between two texts lead from one to the other, woven in, made true in place, and read back from JSON.
func FuzzBlocks(f *testing.F) {
	for _, s := range [][2]string{
		{"", ""}, {"", "a"}, {"a\n", ""}, {"a\nb\nc\n", "a\nB\nc\n"}, {"a\nb", "a\nb\n"}, {"x\n\x80y\r\n", "x\ny\r\nz"}, {"a\n\n\nb\n", "a\n\nb\n"},
	} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, from, to string) {
		b := New(from)
		if b.Lines() != Count(from) {
			t.Fatalf("%q has %d lines or %d", from, b.Lines(), Count(from))
		}
		ks := b.BlocksTo(to)
		if err := b.Fits(ks); err != nil {
			t.Fatal(err)
		}
		js, err := json.Marshal(ks)
		if err != nil {
			t.Fatal(err)
		}
		var back []Block
		if err := json.Unmarshal(js, &back); err != nil || !slices.Equal(ks, back) {
			t.Fatalf("%s came back as %v, %v", js, back, err)
		}
		if got := b.Weave(0, b.Lines(), back); got != to {
			t.Fatalf("from %q to %q: %q by %v", from, to, got, ks)
		}
		delta := 0
		for _, k := range ks {
			delta += k.Delta()
		}
		before := b.Lines()
		b.Replace(ks, "")
		if fresh := New(to); b.Text != to || !slices.Equal(b.starts, fresh.starts) {
			t.Fatalf("from %q: %q, lines at %v, want %v", from, b.Text, b.starts, fresh.starts)
		}
		// Two lines that are glued become one: only texts that end in a line end count exactly.
		if !Open(from) && !Open(to) && before+delta != b.Lines() {
			t.Fatalf("%d lines and %d more are %d", before, delta, b.Lines())
		}
		if e := SharedEnds(from, to); from[:e.Head] != to[:e.Head] || from[len(from)-e.Tail:] != to[len(to)-e.Tail:] || e.Head+e.Tail > min(len(from), len(to)) {
			t.Fatalf("%q and %q share %v", from, to, e)
		}
	})
}

// The rank of a block is not part of a journal.
func TestABlockInAJournal(t *testing.T) {
	js, err := json.Marshal(Block{Start: 1, End: 2, Text: "x\n", Rank: 7})
	if want := `{"a":1,"b":2,"t":"x\n"}`; err != nil || string(js) != want {
		t.Errorf("%s, %v, want %s", js, err, want)
	}
}

// Blocks move along with other changes, unless those come too near.
func TestMoved(t *testing.T) {
	ks := []Block{{Start: 4, End: 5, Text: "x\n"}}
	if got := Moved(ks, []Block{{Start: 0, End: 1, Text: "a\nb\nc\n"}}); len(got) != 1 || got[0].Start != 6 || got[0].End != 7 {
		t.Errorf("%v", got)
	}
	for _, near := range []Block{{Start: 3, End: 4}, {Start: 5, End: 5, Text: "y\n"}, {Start: 4, End: 5}, {Start: 0, End: 9}} {
		if got := Moved(ks, []Block{near}); got != nil {
			t.Errorf("%v beside %v: %v", ks, near, got)
		}
	}
	if got := Moved(ks, []Block{{Start: 7, End: 8}}); !slices.Equal(got, ks) {
		t.Errorf("%v", got)
	}
}

func TestWhatATextShows(t *testing.T) {
	was := strings.Repeat("line\n", 20)
	want := strings.Replace(was, "line\n", "changed\n", 1)
	for text, shows := range map[string]bool{want: true, was: false, want + "typed\n": true, "other\n" + was: false, strings.TrimSuffix(want, "\n"): true} {
		if Shows(text, want, was) != shows {
			t.Errorf("%.30q: %v", text, !shows)
		}
	}
	if !OtherEnds("a\r\nb\r\n", "a\nb\n") || OtherEnds("a\r\nb\n", "a\nb\n") || OtherEnds("a", "b") {
		t.Error("line ends")
	}
}
