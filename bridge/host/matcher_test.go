package host

import (
	"math/rand/v2"
	"testing"
)

// TestALongSearchFindsTheSameLines as one that is done at once.
func TestALongSearchFindsTheSameLines(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, expr := range []string{`a`, `(?m)^`, `(?m)$`, `(?m)^a`, `(?m)b$`, `\Aa`, `\bab\b`, `a\nb`, `\n`, `(?s)a.*b`, `a*`, `(?m)^\s*b`, `b\z`, `(?i)A|B`, `[^a]\n`, ``} {
		quick, err := newMatcher(expr)
		if err != nil {
			t.Fatal(err)
		}
		long := quick
		long.size = maxMatchSteps + 1
		for range 300 {
			text := ""
			for range random.IntN(12) {
				text += string("ab \n"[random.IntN(4)])
			}
			_, want := linesOf(text, quick.find(t.Context(), text), 0, 0, false)
			if _, got := linesOf(text, long.find(t.Context(), text), 0, 0, false); got != want {
				t.Fatalf("%q in %q: %d lines, want %d", expr, text, got, want)
			}
		}
	}
}
