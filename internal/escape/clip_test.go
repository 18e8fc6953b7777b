package escape

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClipLeavesOutNoMoreThanItMust(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöü", 3, "äöü"}, {"äöüß", 3, "äö…"}, {"abc", 1, "…"}, {"abc", 0, ""}, {"日本語文", 2, "日…"},
	} {
		if got := Clip(c.in, c.n); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.in, c.n, got, c.want)
		}
	}
	if got := ClipMiddle("start"+strings.Repeat(" ", 3000)+"; touch pwned", 100); utf8.RuneCountInString(got) > 100 || !strings.HasPrefix(got, "start") || !strings.HasSuffix(got, "; touch pwned") || !strings.Contains(got, "characters") {
		t.Errorf("%q", got)
	}
	if got := HeadLines("one\ntwo\nthree", 10); got != "one\ntwo\n" {
		t.Errorf("%q", got)
	}
	if got := HeadLines("a line without an end", 6); got != "a line" {
		t.Errorf("%q", got)
	}
	if got := HeadLines("one\ntwo", 7); got != "one\ntwo" {
		t.Errorf("%q", got)
	}
}

// What is cut is whole characters, within the limit, and as much as fits.
func FuzzClip(f *testing.F) {
	f.Add("äöü日本語", 5)
	f.Add("", 0)
	f.Add("\x80\x80abc", 2)
	f.Fuzz(func(t *testing.T, s string, n int) {
		n %= 50
		whole := utf8.ValidString(s)
		head, tail := Head(s, n), Tail(s, n)
		if len(head) > max(n, 0) || len(tail) > max(n, 0) || !strings.HasPrefix(s, head) || !strings.HasSuffix(s, tail) {
			t.Fatalf("%q in %d: %q, %q", s, n, head, tail)
		}
		if whole && (!utf8.ValidString(head) || !utf8.ValidString(tail) || len(head) < min(len(s), n-3) || len(tail) < min(len(s), n-3)) {
			t.Fatalf("%q in %d: %q, %q", s, n, head, tail)
		}
		for _, got := range []string{Clip(s, n), ClipMiddle(s, n)} {
			if utf8.RuneCountInString(got) > max(n, 0) || whole && !utf8.ValidString(got) {
				t.Fatalf("%q in %d: %q", s, n, got)
			}
			if utf8.RuneCountInString(s) <= n && got != s {
				t.Fatalf("%q fits in %d: %q", s, n, got)
			}
		}
	})
}

// No text ends its own code block, however many backquotes it has.
func TestACodeBlockIsNotEndedByItsText(t *testing.T) {
	for n := range 12 {
		run := strings.Repeat("`", n)
		for _, text := range []string{run, "a\n" + run + "\nb", run + "sh\nrm -rf /\n" + run + "\n", "\x1b" + run} {
			fence := Fence(text)
			if len(fence) < 3 || strings.Contains(text, fence) || len(fence) > max(3, n+1) {
				t.Errorf("%q is fenced by %q", text, fence)
			}
			lines := strings.Split(strings.TrimSuffix(Fenced("sh", text), "\n"), "\n")
			end := lines[len(lines)-1]
			for i, l := range lines[1 : len(lines)-1] {
				if strings.HasPrefix(strings.TrimSpace(l), end) {
					t.Errorf("line %d of %q ends the block", i, text)
				}
			}
			if lines[0] != end+"sh" {
				t.Errorf("%q begins %q", lines, end)
			}
		}
	}
	// One pass, whatever comes: a text of backquotes alone is fenced as fast as any other.
	if got := Fence(strings.Repeat("`", 1<<20)); len(got) != 1<<20+1 {
		t.Error(len(got))
	}
}

func TestLinesLeaveNothingOut(t *testing.T) {
	if got := Lines("a\x1b[2Kb\n\tc\rd\n"); got != "a<U+001B>[2Kb\n\tc␍d\n" {
		t.Errorf("%q", got)
	}
}
