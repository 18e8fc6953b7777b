package diff

// A Hunk says that lines [OldStart, OldEnd) of the old text became lines
// [NewStart, NewEnd) of the new one: 0-based, half open. At least one of the
// two is not empty.
type Hunk struct {
	OldStart, OldEnd int
	NewStart, NewEnd int
}

// Lines gives the hunks that lead from old to new, in order, with at least one
// unchanged line between two of them. Equal texts have none. The time is
// bounded: a stretch that is too costly to compare is one hunk.
func Lines(old, new string) []Hunk {
	if old == new {
		return nil
	}
	return diffLines(split(old), split(new))
}

func diffLines(old, new []string) []Hunk {
	lo, oldEnd, newEnd := 0, len(old), len(new)
	for lo < oldEnd && lo < newEnd && old[lo] == new[lo] {
		lo++
	}
	for oldEnd > lo && newEnd > lo && old[oldEnd-1] == new[newEnd-1] {
		oldEnd--
		newEnd--
	}
	switch {
	case lo == oldEnd && lo == newEnd:
		return nil
	case lo == oldEnd || lo == newEnd || oldEnd-lo == 1 && newEnd-lo == 1:
		h := []Hunk{{lo, oldEnd, lo, newEnd}}
		return slide(old, new, h)
	}
	a, b, n := intern(old[lo:oldEnd], new[lo:newEnd])
	c := newComparison(a, b, n)
	c.run()
	hunks := c.hunks()
	for i := range hunks {
		h := &hunks[i]
		h.OldStart, h.OldEnd = h.OldStart+lo, h.OldEnd+lo
		h.NewStart, h.NewEnd = h.NewStart+lo, h.NewEnd+lo
	}
	return slide(old, new, hunks)
}

// comparison finds which lines of a and b are not part of their common
// sequence. It works in three steps: lines that occur once on either side are
// anchors and cut the texts into stretches; lines of a stretch that the other
// side lacks are marked and set aside; a shortest-path search settles the rest,
// small stretches first, so that one hopeless stretch costs only its own detail.
type comparison struct {
	a, b           []int32
	goneA, goneB   []bool // not in the common sequence
	countA, countB []int32
	posB           []int32
	left           []stretch
	effort         int
}

type stretch struct{ aLo, aHi, bLo, bHi int }

func (s stretch) size() int { return s.aHi - s.aLo + s.bHi - s.bLo }

func newComparison(a, b []int32, n int) *comparison {
	return &comparison{
		a: a, b: b,
		goneA: make([]bool, len(a)), goneB: make([]bool, len(b)),
		countA: make([]int32, n), countB: make([]int32, n), posB: make([]int32, n),
		effort: maxEffort,
	}
}

func (c *comparison) run() {
	c.cut(stretch{0, len(c.a), 0, len(c.b)}, 0)
	c.search()
}

// hunks reads the marks.
func (c *comparison) hunks() []Hunk {
	var hs []Hunk
	i, j := 0, 0
	for i < len(c.a) || j < len(c.b) {
		h := Hunk{OldStart: i, NewStart: j}
		for i < len(c.a) && c.goneA[i] {
			i++
		}
		for j < len(c.b) && c.goneB[j] {
			j++
		}
		if i > h.OldStart || j > h.NewStart {
			h.OldEnd, h.NewEnd = i, j
			hs = append(hs, h)
		}
		for i < len(c.a) && j < len(c.b) && !c.goneA[i] && !c.goneB[j] {
			i++
			j++
		}
	}
	return hs
}

func mark(gone []bool, lo, hi int) {
	for i := lo; i < hi; i++ {
		gone[i] = true
	}
}
