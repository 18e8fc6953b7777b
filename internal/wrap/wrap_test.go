package wrap

import (
	"slices"
	"strings"
	"testing"
)

func TestTextBreaksAtWords(t *testing.T) {
	for _, c := range []struct {
		what, text string
		cells      int
		want       []string
	}{
		{"it fits", "one two", 7, []string{"one two"}},
		{"a word too many", "one two three", 8, []string{"one two", "three"}},
		{"lines stay", "a\n\nb", 8, []string{"a", "", "b"}},
		{"an indent goes on", "  one two three", 9, []string{"  one two", "  three"}},
		{"a long word", "a veryverylong b", 6, []string{"a", "veryve", "rylong", "b"}},
		{"wide characters", "日本 日本", 5, []string{"日本", "日本"}},
		{"combining characters take nothing", "e\u0301e\u0301e\u0301 x", 5, []string{"e\u0301e\u0301e\u0301 x"}},
		{"a colour goes on", "\x1b[1mone two\x1b[0m x", 5, []string{"\x1b[1mone\x1b[0m", "\x1b[1mtwo\x1b[0m x"}},
		{"an indent in colour goes on", "\x1b[1m  one two three\x1b[0m", 9, []string{"  \x1b[1mone two\x1b[0m", "  \x1b[1mthree\x1b[0m"}},
		{"no width is known", "one two three", 0, []string{"one two three"}},
		{"spaces between words stay", "a  b c", 4, []string{"a  b", "c"}},
	} {
		if got := Text(c.text, c.cells); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// FuzzText: no line is too wide, and no word is lost.
func FuzzText(f *testing.F) {
	f.Add("one two  three\n  four five", 7)
	f.Add("\x1b[1m日本語\x1b[0m x", 2)
	f.Fuzz(func(t *testing.T, s string, cells int) {
		if cells < 2 || cells > 200 || strings.ContainsAny(s, "\t\x1b") {
			return
		}
		var words []string
		for _, line := range Text(s, cells) {
			if w := Width(line); w > cells {
				t.Errorf("%q has %d cells", line, w)
			}
			words = append(words, strings.ReplaceAll(line, " ", ""))
		}
		if got, want := strings.Join(words, ""), strings.NewReplacer(" ", "", "\n", "").Replace(s); got != want {
			t.Errorf("%q became %q", want, got)
		}
	})
}
