package fsproxy

import (
	"errors"
	"strings"
	"testing"
)

func TestReplace(t *testing.T) {
	for _, c := range []struct{ name, s, old, new, want string }{
		{"exact", "a\nb\nc\n", "b\n", "X\nY\n", "a\nX\nY\nc\n"},
		{"LF finds CRLF", "a\r\nb\r\nc\r\n", "a\nb", "a\nX\nb", "a\r\nX\r\nb\r\nc\r\n"},
		{"within a line of CRLF", "a\r\nb\r\n", "b", "x\ny", "a\r\nx\r\ny\r\n"},
		{"CRLF finds LF", "a\nb\n", "a\r\nb", "a\r\nX\r\nb", "a\nX\nb\n"},
		{"mixed ends keep theirs", "a\nb\r\nc\nd\r\n\r\n", "a\nb\nc\n", "a\nX\nc\n", "a\nX\r\nc\nd\r\n\r\n"},
		{"the last line has no end", "a\r\nlast", "last", "LAST", "a\r\nLAST"},
		{"it starts with the line end", "a\r\nb", "\nb", "\nB", "a\r\nB"},
		{"own carriage returns are meant", "a\nb\n", "b", "x\r\ny", "a\nx\r\ny\n"},
		{"nothing in nothing", "", "", "x\n", "x\n"},
		{"old Macs", "a\rb\r", "b", "x\ny", "a\rx\ry\r"},
		{"deleted lines", "a\r\nb\r\nc\r\n", "b\n", "", "a\r\nc\r\n"},
	} {
		got, err := Replace(c.s, c.old, c.new)
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
	for _, old := range []string{"x", "", "a\n\nb"} {
		if _, err := Replace("a\r\nb", old, "y"); !errors.Is(err, ErrNoMatch) {
			t.Errorf("%q: %v", old, err)
		}
	}
	var amb *AmbiguousError
	if _, err := Replace("aaa\r\nb\naa", "aa", "x"); !errors.As(err, &amb) || len(amb.Lines) != 3 || amb.Lines[2] != 3 {
		t.Errorf("ambiguous: %v", err)
	}
	if _, err := Replace("z\r\na\r\nb\r\na\r\nb", "a\nb", "x"); !errors.As(err, &amb) || len(amb.Lines) != 2 || amb.Lines[1] != 4 {
		t.Errorf("ambiguous in CRLF: %v", err)
	}
}

func TestAdapt(t *testing.T) {
	for _, c := range []struct{ name, base, ours, cur, want string }{
		{"nobody else wrote", "a\nb\n", "a\nB\n", "a\nb\n", "a\nB\n"},
		{"LF writer, CRLF text", "a\r\nb\r\nc\r\n", "a\nB\nc\nd\n", "a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\nd\r\n"},
		{"LF writer, mixed text", "a\nb\r\nc\r\n", "a\nb\nC\n", "a\nb\r\nc\r\n", "a\nb\r\nC\r\n"},
		{"LF writer, CRLF text with typing", "a\r\nb\r\nc\r\n", "a\nb\nC\n", "typed\r\na\r\nb\r\nc\r\n", "typed\r\na\r\nb\r\nC\r\n"},
		{"read CRLF on disk, the buffer hides it", "a\r\nb\r\n", "a\r\nB\r\n", "typed\na\nb\n", "typed\na\nB\n"},
		{"CRLF is what the writer wants", "a\nb\n", "a\r\nb\r\n", "a\nb\n", "a\r\nb\r\n"},
		{"LF writer, no final newline", "a\r\nb", "a\nb\nc", "a\r\nb", "a\r\nb\r\nc"},
		{"LF is what is there", "a\r\nb\r\n", "a\nb\n", "a\r\nb\r\n", "a\r\nb\r\n"},
		{"old Macs", "a\rb\r", "a\nB\n", "a\rb\r", "a\rB\r"},
		{"nothing changed, typing stays", "a\n", "a\n", "b\n", "b\n"},
	} {
		got, conflicts := adapt(c.base, c.ours, c.cur)
		if got != c.want || len(conflicts) > 0 {
			t.Errorf("%s: %q, %v, want %q", c.name, got, conflicts, c.want)
		}
	}
	if _, conflicts := adapt("a\r\n", "b\n", "c\r\n"); len(conflicts) != 1 {
		t.Errorf("conflicts: %v", conflicts)
	}
}

func TestLinesThatAreAddedEndAsMostDo(t *testing.T) {
	for s, want := range map[string]string{
		"": "\n", "a": "\n", "a\u2028b\v": "\n", "a\nb\n": "\n", "a\r\nb": "\r\n", "a\rb\r": "\r",
		"a\r\nb\n": "\n", "a\r\nb\r\n\n": "\r\n", "a\r\r\r\n": "\n", "a\rb\r\n": "\r\n",
	} {
		if got := endFor(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// FuzzReplace: nothing but the one place changes, whatever the line ends.
func FuzzReplace(f *testing.F) {
	f.Add("a\r\nb\nc", "a\nb", "x\ny")
	f.Add("\r\n\n\r", "\n\n", "")
	f.Fuzz(func(t *testing.T, s, old, new string) {
		got, err := Replace(s, old, new)
		p := toLF(s)
		if i := strings.Index(p, toLF(old)); err != nil || old == "" || strings.Contains(p[i+1:], toLF(old)) {
			return
		}
		head, tail, _ := strings.Cut(p, toLF(old))
		if strings.HasSuffix(head, "\r") && strings.HasPrefix(new, "\n") || strings.HasSuffix(new, "\r") && strings.HasPrefix(tail, "\n") ||
			strings.Contains(s, "\r\r\n") || strings.Contains(got, "\r\r\n") {
			return // what is one line end, and what are two, depends on where one begins to look
		}
		lf := func(s string) string { return strings.ReplaceAll(toLF(s), "\r", "\n") }
		if got, want := lf(got), lf(head+toLF(new)+tail); got != want {
			t.Errorf("%q with %q for %q: %q, want %q", s, new, old, got, want)
		}
	})
}
