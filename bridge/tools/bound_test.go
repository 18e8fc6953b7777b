package tools

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

var leftOut = regexp.MustCompile(`\n\[… (\d+) bytes left out here; ask for less at a time …\]\n`)

// checkBound holds for every input: valid UTF-8, never too long, unchanged if it fits, else head and tail and the truth
// about what is between them.
func checkBound(t *testing.T, in string) {
	t.Helper()
	got, clean := bound(in), strings.ToValidUTF8(in, "\uFFFD")
	if !utf8.ValidString(got) || len(got) > MaxResult {
		t.Fatalf("bound of %d bytes has %d, valid %v", len(in), len(got), utf8.ValidString(got))
	}
	if len(clean) <= MaxResult {
		if got != clean {
			t.Fatal("a text that fits was changed")
		}
		return
	}
	for _, m := range leftOut.FindAllStringSubmatchIndex(got, -1) {
		n, err := strconv.Atoi(got[m[2]:m[3]])
		head, tail := got[:m[0]], got[m[1]:]
		// The line break before the note may be the text's own.
		if err == nil && strings.HasPrefix(clean, head) && strings.HasSuffix(clean, tail) &&
			(len(head)+n+len(tail) == len(clean) || len(head)+1+n+len(tail) == len(clean) && clean[len(head)] == '\n') {
			if len(got) < MaxResult*8/10 {
				t.Fatalf("only %d bytes are left", len(got))
			}
			return
		}
	}
	t.Fatalf("no true note of what is missing in %d bytes: %.80q", len(got), got)
}

func TestResultsAreBounded(t *testing.T) {
	for _, unit := range []string{"x", "é", "漢", "😀", "line of text\n", "\n", "\r\n", "\xff", "a\xf0\x9f", "\xf0\x9f\x98", "x\n\n[… 5 bytes left out here; ask for less at a time …]\n"} {
		for _, n := range []int{0, 1, MaxResult - 1, MaxResult, MaxResult + 1, MaxResult + 2, 3 * MaxResult, 1 << 20} {
			t.Run(fmt.Sprintf("%q %d", unit, n), func(t *testing.T) {
				checkBound(t, strings.Repeat(unit, n/len(unit)+1)[:n])
			})
		}
	}
}

func TestCutFallsOnLineEnds(t *testing.T) {
	got := bound(strings.Repeat("0123456789abcde\n", 5000))
	for _, l := range strings.Split(strings.TrimSuffix(got, "\n"), "\n") {
		if l != "0123456789abcde" && !strings.HasPrefix(l, "[…") {
			t.Errorf("a cut line: %q", l)
		}
	}
}

func FuzzBound(f *testing.F) {
	f.Add("é\n", 30_000, "\xff")
	f.Add("x", MaxResult, "")
	f.Fuzz(func(t *testing.T, unit string, n int, end string) {
		if n < 0 || n > 1<<20 || unit == "" {
			return
		}
		checkBound(t, strings.Repeat(unit, min(n, 1<<20/len(unit)))+end)
	})
}

func FuzzTail(f *testing.F) {
	f.Add("aé😀", 3)
	f.Fuzz(func(t *testing.T, s string, n int) {
		if n < 0 || n > 1<<16 {
			return
		}
		got := tail(s, n)
		if !utf8.ValidString(got) {
			t.Fatalf("tail(%q, %d) = %q", s, n, got)
		}
		if utf8.ValidString(s) && (len(got) > n || !strings.HasSuffix(s, got) || len(s) > n && len(got) < n-3) {
			t.Fatalf("tail(%q, %d) = %q", s, n, got)
		}
	})
}
