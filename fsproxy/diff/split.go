package diff

import (
	"iter"
	"slices"
	"strings"
)

// split cuts s after each '\n'.
func split(s string) []string {
	return slices.AppendSeq(make([]string, 0, strings.Count(s, "\n")+1), strings.Lines(s))
}

// join is the inverse of split.
func join(lines []string) string {
	return strings.Join(lines, "")
}

// located gives the hunks of a text in lines with the offset in bytes at which each begins.
func located(lines []string, hs []Hunk) iter.Seq2[int, Hunk] {
	return func(yield func(int, Hunk) bool) {
		at, line := 0, 0
		for _, h := range hs {
			for ; line < h.OldStart; line++ {
				at += len(lines[line])
			}
			if !yield(at, h) {
				return
			}
		}
	}
}

// intern numbers the lines of a and b so that equal lines, and only they, have
// equal numbers below n.
func intern(a, b []string) (ia, ib []int32, n int) {
	seen := make(map[string]int32, len(a)+len(b)/8)
	number := func(lines []string) []int32 {
		ids := make([]int32, len(lines))
		for i, l := range lines {
			id, ok := seen[l]
			if !ok {
				id = int32(len(seen))
				seen[l] = id
			}
			ids[i] = id
		}
		return ids
	}
	ia = number(a)
	ib = number(b)
	return ia, ib, len(seen)
}
