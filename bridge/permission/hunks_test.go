package permission

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestPartsAddUp guards the cutting itself: all parts together are the change, none is nothing, and parts are in order
// and apart.
func TestPartsAddUp(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range rnd.IntN(9) {
			b.WriteString([]string{"a", "b", "", "c\r", "ü"}[rnd.IntN(5)] + "\n")
		}
		if rnd.IntN(3) == 0 {
			b.WriteString("no end")
		}
		return b.String()
	}
	for range 5_000 {
		d := FileDiff{OldText: text(), NewText: text()}
		parts := hunksOf(d)
		if got := applyHunks(d.OldText, parts); got != d.NewText {
			t.Fatalf("%q to %q: all parts make %q", d.OldText, d.NewText, got)
		}
		if got := applyHunks(d.OldText, nil); got != d.OldText {
			t.Fatalf("no part makes %q of %q", got, d.OldText)
		}
		at := 0
		for _, h := range parts {
			if h.Start < at || strings.Join(wholeLines(d.OldText)[h.Start:h.End], "") != h.OldText {
				t.Fatalf("%q to %q: %+v", d.OldText, d.NewText, parts)
			}
			at = h.End
		}
	}
}

func TestANoteOfWhatWasLeftOutIsBounded(t *testing.T) {
	c := &Choice{taken: []Hunk{{}}}
	for range 900 {
		c.left = append(c.left, Hunk{Start: 3, End: 4, OldText: strings.Repeat("x", 50) + "\n", NewText: strings.Repeat("long line\n", 300)})
	}
	if n := len(c.Note("/w/a.txt")); n > 19<<10 {
		t.Errorf("the note has %d bytes", n)
	}
}

func TestANoteOfAnAmendedTextIsBounded(t *testing.T) {
	for name, c := range map[string]*Choice{
		"many lines": {text: strings.Repeat("the user's line\n", 5_000), amended: &amendment{strings.Repeat("the agent's line\n", 5_000)}},
		"a long one": {text: strings.Repeat("x", 1<<20), amended: &amendment{"short\n"}},
	} {
		if n := len(c.Note("/w/a.txt")); n > 19<<10 {
			t.Errorf("%s: the note has %d bytes", name, n)
		}
	}
}
