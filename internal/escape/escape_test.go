package escape

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"
)

var cases = []struct{ name, in, text, inline, strip string }{
	{"plain", "go build ./...\n\tok", "go build ./...\n\tok", "go build ./...⏎→ok", "go build ./...\n\tok"},
	{"empty", "", "", "", ""},
	{"letters", "grün 日本 🙂❤️", "grün 日本 🙂❤️", "grün 日本 🙂❤️", "grün 日本 🙂❤️"},
	{"colour", "\x1b[1;38;2;255;0;0mred\x1b[0m", "red", "<U+001B>[1;38;2;255;0;0mred<U+001B>[0m", "red"},
	{"swallowed command", "ls \x1b[; rm -rf ~", "ls m -rf ~", "ls <U+001B>[; rm -rf ~", "ls m -rf ~"},
	{"title", "a\x1b]0;sudo: password\x07b", "ab", "a<U+001B>]0;sudo: password<U+0007>b", "ab"},
	{"clipboard", "a\x1b]52;c;Y3VybA==\x1b\\b", "ab", "a<U+001B>]52;c;Y3VybA==<U+001B>\\b", "ab"},
	{"link", "\x1b]8;;http://x\x1b\\here\x1b]8;;\x1b\\", "here", "<U+001B>]8;;http://x<U+001B>\\here<U+001B>]8;;<U+001B>\\", "here"},
	{"bell in a device string is data", "a\x1bPq#0\x07#1\x1b\\b", "ab", "a<U+001B>Pq#0<U+0007>#1<U+001B>\\b", "ab"},
	{"other strings", "\x1bXsos\x1b\\\x1b^pm\x1b\\\x1b_apc\x1b\\.", ".", "<U+001B>Xsos<U+001B>\\<U+001B>^pm<U+001B>\\<U+001B>_apc<U+001B>\\.", "."},
	{"C1 as a character", "a\u009b31mb\u009d0;t\u009cc\u0085", "abc", "a<U+009B>31mb<U+009D>0;t<U+009C>c<U+0085>", "abc"},
	{"C1 as a byte", "a\x9b31mb\x9d0;t\x9cc\x85", "abc", "a<U+009B>31mb<U+009D>0;t<U+009C>c<U+0085>", "abc"},
	{"terminator byte inside a letter", "\x1b]0;\u201cx\u201d ✜\x07b", "b", "<U+001B>]0;“x” ✜<U+0007>b", "b"},
	{"short sequences", "\x1b7a\x1b(Bb\x1b#8c\x1bcd", "abcd", "<U+001B>7a<U+001B>(Bb<U+001B>#8c<U+001B>cd", "abcd"},
	{"sequence broken by a line", "\x1b[31\nnext", "\nnext", "<U+001B>[31⏎next", "\nnext"},
	{"sequence broken by a sequence", "\x1b[3\x1b[1mx\x1b]0;a\x1b[1my", "xy", "<U+001B>[3<U+001B>[1mx<U+001B>]0;a<U+001B>[1my", "xy"},
	{"sequence given up", "\x1b]0;a\x18b\x1bPc\x1ad", "bd", "<U+001B>]0;a<U+0018>b<U+001B>Pc<U+001A>d", "bd"},
	{"cut short", "a\x1b", "a", "a<U+001B>", "a"},
	{"controls", "a\x00\x08\x7fb\x07", "ab", "a<U+0000><U+0008><U+007F>b<U+0007>", "a\x00\x08\x7fb\x07"},
	{"lines", "a\r\nb\rc\r", "a\nb␍c␍", "a␍⏎b␍c␍", "a\r\nb\rc\r"},
	{"colour between CR and LF", "a\r\x1b[K\nb", "a\nb", "a␍<U+001B>[K⏎b", "a\r\nb"},
	{"two CR", "\r\r\n", "␍\n", "␍␍⏎", "\r\r\n"},
	{"not UTF-8", "a\xffb\xe2\x28\xc3", "a\ufffdb\ufffd(\ufffd", "a\ufffdb\ufffd(\ufffd", "a\ufffdb\ufffd(\ufffd"},
	{"surrogate and overlong", "\xed\xa0\xbd\xc0\xaf", "\ufffd\ufffd\ufffd\ufffd\ufffd", "\ufffd\ufffd\ufffd\ufffd\ufffd", "\ufffd\ufffd\ufffd\ufffd\ufffd"},
	{"trojan source", "if \u202e{x\u2066}", "if <U+202E>{x<U+2066>}", "if <U+202E>{x<U+2066>}", "if \u202e{x\u2066}"},
	{"zero width", "pass\u200bword\u2060\u061c\ufeff", "pass<U+200B>word<U+2060><U+061C><U+FEFF>", "pass<U+200B>word<U+2060><U+061C><U+FEFF>", "pass\u200bword\u2060\u061c\ufeff"},
	{"byte order mark at the start", "\ufeffa", "\ufeffa", "<U+FEFF>a", "\ufeffa"},
	{"tags", "x\U000e0041\U000e007f\U000e0100", "x<U+E0041><U+E007F><U+E0100>", "x<U+E0041><U+E007F><U+E0100>", "x\U000e0041\U000e007f\U000e0100"},
}

func TestEachModeShowsWhatItPromises(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, got := range []struct{ mode, got, want string }{
				{"Text", Text(c.in), c.text}, {"Inline", Inline(c.in), c.inline}, {"StripANSI", StripANSI(c.in), c.strip},
			} {
				if got.got != got.want {
					t.Errorf("%s(%q) = %q, want %q", got.mode, c.in, got.got, got.want)
				}
			}
		})
	}
}

// bad names the invariant of the package that s breaks, or is empty.
func bad(s string, m mode) string {
	if !utf8.ValidString(s) {
		return "not UTF-8"
	}
	for _, r := range s {
		switch {
		case r == esc, r >= 0x80 && r <= 0x9f:
			return "an escape or a C1 control"
		case m == strip:
		case r < ' ' && !(m == text && (r == '\n' || r == '\t')), r == del:
			return "a control character"
		case Hidden(r) && r != bom:
			return "a hidden character"
		}
	}
	return ""
}

func inPieces(s string, m mode, cuts ...int) string {
	f, out, from := filter{mode: m}, []byte(nil), 0
	for _, c := range append(cuts, len(s)) {
		out = f.feed(out, []byte(s[from:c]))
		from = c
	}
	return string(f.end(out))
}

func TestOutputDoesNotDependOnTheCut(t *testing.T) {
	for _, c := range cases {
		for _, m := range []mode{text, inline, strip} {
			want := apply(c.in, m)
			for i := range len(c.in) + 1 {
				for j := i; j <= len(c.in); j++ {
					if got := inPieces(c.in, m, i, j); got != want {
						t.Fatalf("%s, mode %d, cut at %d and %d: %q, want %q", c.name, m, i, j, got, want)
					}
				}
			}
		}
	}
}

func FuzzFilter(f *testing.F) {
	for _, c := range cases {
		f.Add([]byte(c.in), uint16(len(c.in)/2))
	}
	f.Fuzz(func(t *testing.T, in []byte, cut uint16) {
		s := string(in)
		for _, m := range []mode{text, inline, strip} {
			want := apply(s, m)
			if what := bad(want, m); what != "" {
				t.Fatalf("mode %d of %q is %q: %s", m, s, want, what)
			}
			single := make([]int, 0, len(s))
			for i := range len(s) {
				single = append(single, i)
			}
			if got := inPieces(s, m, single...); got != want {
				t.Fatalf("mode %d of %q byte by byte: %q, want %q", m, s, got, want)
			}
			if i := min(int(cut), len(s)); inPieces(s, m, i) != want {
				t.Fatalf("mode %d of %q cut at %d: %q, want %q", m, s, i, inPieces(s, m, i), want)
			}
			if apply(want, m) != want {
				t.Fatalf("mode %d of %q is not stable: %q, then %q", m, s, want, apply(want, m))
			}
		}
		var w bytes.Buffer
		to := NewWriter(&w)
		to.Write(in[:min(int(cut), len(in))])
		to.Write(in[min(int(cut), len(in)):])
		to.Close()
		if w.String() != Text(s) {
			t.Fatalf("the writer wrote %q, Text is %q", w.String(), Text(s))
		}
	})
}

func TestUnterminatedSequenceEndsAtItsCap(t *testing.T) {
	for _, begin := range []string{"\x1b]0;", "\x1bP", "\x1b_", "\u009d"} {
		got := Text(begin + strings.Repeat("x", maxString) + "\x1b[0mseen")
		if !strings.HasSuffix(got, "seen") || len(got) > 64 {
			t.Errorf("%q: %d bytes, %q", begin, len(got), got[max(0, len(got)-20):])
		}
	}
	if got := Text("\x1b[" + strings.Repeat("1;", maxSequence) + "seen"); !strings.HasSuffix(got, "seen") {
		t.Errorf("CSI: %q", got)
	}
}

func TestUnterminatedSequenceCostsNoMemory(t *testing.T) {
	w := NewWriter(io.Discard)
	chunk := bytes.Repeat([]byte("y"), 64<<10)
	io.WriteString(w, "\x1b]0;")
	w.Write(chunk) // the buffer reaches its size
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 160 {
		w.Write(chunk)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 64<<10 {
		t.Errorf("10 MB of an open sequence allocated %d bytes", n)
	}
}

func TestTextThatNeedsNothingIsNotCopied(t *testing.T) {
	s := strings.Repeat("plain text\n", 100)
	if n := testing.AllocsPerRun(10, func() { Text(s) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriterKeepsItsFirstError(t *testing.T) {
	w := NewWriter(failing{})
	if _, err := io.WriteString(w, "a"); err == nil {
		t.Error("the error of the write is lost")
	}
	if _, err := io.WriteString(w, "\x1b[0m"); err == nil {
		t.Error("a later write does not tell")
	}
	if w.Close() == nil {
		t.Error("Close does not tell")
	}
}

func BenchmarkText(b *testing.B) {
	for _, c := range []struct{ name, s string }{
		{"plain", strings.Repeat("a line of a build log that is quite ordinary\n", 1000)},
		{"coloured", strings.Repeat("\x1b[32mok\x1b[0m package/of/the/log 0.01s\n", 1000)},
		{"letters", strings.Repeat("日本語の行です。\n", 1000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.s)))
			for b.Loop() {
				Text(c.s)
			}
		})
	}
}
