package copilot

import "testing"

// What Copilot says about a compaction is read whatever way it groups its numbers.
func TestCompactionIsReadFromItsAnswer(t *testing.T) {
	for text, want := range map[string][2]int64{
		"Compacted conversation history and removed 3 messages and 2 tokens.":       {3, 2},
		"Compacted conversation history and removed 1 message and 12,345 tokens.\n": {1, 12345},
		"Nothing to compact.": {0, 0},
	} {
		var got [2]int64
		var ok bool
		if got[0], got[1], ok = Compacted(text); got != want || ok != (want[0] > 0) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
