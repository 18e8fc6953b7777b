package review

import "slices"

// rankAt gives the rank of what stands last before a new hunk at line lo; before
// are the hunks there. Until rerank, the new one shares it.
func (f *file) rankAt(before []hunk, lo int) int {
	rank := 0
	if n := len(before); n > 0 {
		rank = before[n-1].Rank
	}
	for i := range f.Marks {
		if m := &f.Marks[i]; !m.Stale && m.Hunk.End <= lo {
			rank = max(rank, m.Hunk.Rank)
		}
	}
	return rank
}

// rerank numbers hunks and marks anew. A new hunk comes after what it shares its rank with.
func (f *file) rerank(ls []lost) {
	var all []*int
	for i := range f.Marks {
		if !f.Marks[i].Stale {
			all = append(all, &f.Marks[i].Hunk.Rank)
		}
	}
	for i := range ls {
		all = append(all, &ls[i].h.Rank)
	}
	for i := range f.Hunks {
		all = append(all, &f.Hunks[i].Rank)
	}
	slices.SortStableFunc(all, func(a, b *int) int { return *a - *b })
	for i, r := range all {
		*r = i + 1
	}
}

// swallow makes the marks stale that lie within lines [lo, hi), which become one
// hunk together with hs: where they would stand once it is undone is not known.
func (f *file) swallow(lo, hi int, hs []hunk) {
	if len(hs) == 0 {
		return
	}
	for i := range f.Marks {
		m := &f.Marks[i].Hunk
		above := m.End < lo || m.End == lo && m.Rank < hs[0].Rank
		below := m.Start > hi || m.Start == hi && m.Rank > hs[len(hs)-1].Rank
		if !above && !below {
			f.Marks[i].Stale = true
		}
	}
}

// holds says that the hunk reaches into lines [start, end), or around them.
func (h *hunk) holds(start, end int) bool {
	return h.Start < end && start < h.End || start == end && h.Start < start && start < h.End
}
