package diff

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           []Edit
	}{
		{"equal", "a", "a", nil},
		{"within a line", "one\ntwo\nthree\n", "one\ntwO\nthree\n", []Edit{{6, 7, "O"}}},
		{"whole runes", "a😀b", "a😁b", []Edit{{1, 5, "😁"}}},
		{"CRLF stays whole", "a\r\nb\r\n", "a\nb\r\n", []Edit{{1, 3, "\n"}}},
		{"a line after CRLF", "a\r\nb\r\n", "a\r\nx\r\nb\r\n", []Edit{{3, 3, "x\r\n"}}},
		{"touching edits are one", "\r\n\r\n", "\n\n", []Edit{{0, 4, "\n\n"}}},
		{"final newline only", "a", "a\n", []Edit{{1, 1, "\n"}}},
		{"behind the last line", "a\nb\n", "a\nb\nc\n\n", []Edit{{3, 3, "\nc\n"}}},
		{"behind the last line, CRLF", "a\r\nb\r\n", "a\r\nb\r\nc\r\n", []Edit{{4, 4, "\r\nc"}}},
		{"behind the last line, without an end", "a\n", "a\nb", []Edit{{2, 2, "b"}}},
		{"the last lines", "a\nb\n\n", "a\n", []Edit{{1, 4, ""}}},
		{"the last line, whose end is another", "a\nb\r\n", "a\n", []Edit{{2, 5, ""}}},
		{"all lines", "a\nb\n", "", []Edit{{0, 4, ""}}},
		{"the first line of all", "", "a\n", []Edit{{0, 0, "a\n"}}},
		{"two lines in place", "a1\nb1\n", "a2\nb2\n", []Edit{{1, 2, "2"}, {4, 5, "2"}}},
	} {
		if d := cmp.Diff(c.want, Edits(c.old, c.new)); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

func checkEdits(t testing.TB, old, new string) {
	t.Helper()
	es := Edits(old, new)
	got, err := Apply(old, es)
	if err != nil || got != new {
		t.Fatalf("%q to %q: %v gives %q, %v", old, new, es, got, err)
	}
	end, shift := -1, 0
	for _, e := range es {
		if e.Start == len(old) && strings.HasSuffix(old, "\n") && strings.HasSuffix(new, "\n") && ending(old) == ending(new) {
			t.Fatalf("%q to %q: %v is put behind the last line end", old, new, e)
		}
		if e.Start <= end {
			t.Fatalf("%q to %q: edits touch: %v", old, new, es)
		}
		end = e.End
		start := e.Start + shift
		shift += len(e.New) - (e.End - e.Start)
		if inLineEnd(old, e.Start) || inLineEnd(old, e.End) || inLineEnd(new, start) || inLineEnd(new, start+len(e.New)) {
			t.Fatalf("%q to %q: %v cuts a line end", old, new, e)
		}
		if utf8.ValidString(old) && utf8.ValidString(new) && !utf8.ValidString(e.New) {
			t.Fatalf("%q to %q: %v cuts a rune", old, new, e)
		}
	}
}

// ending is the last line end of a text that has one.
func ending(s string) string {
	if strings.HasSuffix(s, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

func inLineEnd(s string, i int) bool {
	return i > 0 && i < len(s) && s[i-1:i+1] == "\r\n"
}

func TestEditsOfRandomTexts(t *testing.T) {
	for seed := range uint64(20_000) {
		g := newGen(seed)
		old := g.text(g.IntN(15))
		if g.IntN(10) == 0 {
			g.eol = "\r\n"
		}
		new := g.change(old, g.IntN(6), true)
		if seed%5 == 0 {
			new = g.text(g.IntN(15))
		}
		checkEdits(t, old, new)
	}
}

func TestApplyRefusesWhatDoesNotFit(t *testing.T) {
	for _, es := range [][]Edit{{{0, 4, ""}}, {{2, 1, ""}}, {{1, 2, ""}, {1, 2, ""}}} {
		if got, err := Apply("abc", es); err == nil {
			t.Errorf("%v gave %q", es, got)
		}
	}
}

func FuzzEdits(f *testing.F) {
	f.Add("a\r\nb\n", "a\nb\r\n")
	f.Add("é\xff\r", "\r\n\xc3")
	f.Fuzz(func(t *testing.T, old, new string) {
		check(t, old, new, Lines(old, new))
		checkEdits(t, old, new)
	})
}
