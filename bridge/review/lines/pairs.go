package lines

import (
	"unicode/utf8"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
)

// maxPaired bounds a changed block, in lines before times lines after, whose lines are paired by what they say; those of a larger
// one are paired in their order.
const maxPaired = 1024

// Pairs says which borders between the lines of an older text belong to those of a newer one: by border of the newer, the first
// and the last. They differ where lines were taken out.
type Pairs struct{ first, last []int }

// PairsOf pairs the lines of two texts.
func PairsOf(old, new string) Pairs {
	was, is := New(old), New(new)
	p := Pairs{make([]int, is.Lines()+1), make([]int, is.Lines()+1)}
	set := func(border, of int) { p.first[border], p.last[border] = of, of }
	at, i := 0, 0 // the borders up to here are known
	for _, h := range append(diff.Lines(old, new), diff.Hunk{OldStart: was.Lines(), OldEnd: was.Lines(), NewStart: is.Lines(), NewEnd: is.Lines()}) {
		for at < h.NewStart {
			at, i = at+1, i+1
			set(at, i)
		}
		if m, n := h.OldEnd-h.OldStart, h.NewEnd-h.NewStart; m != n && m*n <= maxPaired {
			p.bySense(&was, &is, h)
		} else {
			for j := 1; j <= n; j++ {
				set(at+j, i+min(j, m))
			}
		}
		at, i = h.NewEnd, h.OldEnd
		p.last[at] = i
	}
	return p
}

// Of gives the lines of the older text that stand for lines [start, end) of the newer one, with what was taken out at their ends.
func (p Pairs) Of(start, end int) (from, to int) { return p.first[start], p.last[end] }

// bySense sets the borders of a block in which lines were put in or taken out, but for its upper one's first: those lines are paired
// that say the most of the same.
func (p Pairs) bySense(was, is *Body, h diff.Hunk) {
	m, n := h.OldEnd-h.OldStart, h.NewEnd-h.NewStart
	shared := func(i, j int) int { // characters
		a, b := was.Slice(h.OldStart+i, h.OldStart+i+1), is.Slice(h.NewStart+j, h.NewStart+j+1)
		return (utf8.RuneCountInString(a) + utf8.RuneCountInString(b) - diff.Distance(a, b)) / 2
	}
	best := make([][]int, m+1) // what the lines from here on share at most
	for i := range best {
		best[i] = make([]int, n+1)
	}
	paired := make([][]bool, m+1)
	paired[m] = make([]bool, n+1)
	for i := m - 1; i >= 0; i-- {
		paired[i] = make([]bool, n+1)
		for j := n - 1; j >= 0; j-- {
			both := best[i+1][j+1] + shared(i, j)
			best[i][j] = max(both, best[i+1][j], best[i][j+1])
			paired[i][j] = both == best[i][j]
		}
	}
	i, j := 0, 0
	skip := func() { // what was taken out between two lines belongs to both
		for i < m && !paired[i][j] && best[i][j] == best[i+1][j] && (j == n || best[i][j] > best[i][j+1]) {
			i++
		}
		p.last[h.NewStart+j] = h.OldStart + i
	}
	for skip(); j < n; skip() {
		if paired[i][j] {
			i++
		}
		j++
		p.first[h.NewStart+j] = h.OldStart + i
	}
}
