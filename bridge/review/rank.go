package review

import "slices"

// rankAt gives the rank of what stands last before a new hunk at line lo; before
// are the hunks there. Until rerank, the new one shares it.
func (f *file) rankAt(before []hunk, lo int) int {
	rank := 0
	if n := len(before); n > 0 {
		rank = before[n-1].rank
	}
	for i := range f.marks {
		if m := &f.marks[i]; !m.stale && m.h.end <= lo {
			rank = max(rank, m.h.rank)
		}
	}
	return rank
}

// rerank numbers hunks and marks anew. A new hunk comes after what it shares its rank with.
func (f *file) rerank(ls []lost) {
	var all []*int
	for i := range f.marks {
		if !f.marks[i].stale {
			all = append(all, &f.marks[i].h.rank)
		}
	}
	for i := range ls {
		all = append(all, &ls[i].h.rank)
	}
	for i := range f.hunks {
		all = append(all, &f.hunks[i].rank)
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
	for i := range f.marks {
		m := &f.marks[i].h
		above := m.end < lo || m.end == lo && m.rank < hs[0].rank
		below := m.start > hi || m.start == hi && m.rank > hs[len(hs)-1].rank
		if !above && !below {
			f.marks[i].stale = true
		}
	}
}

// holds says that the hunk reaches into lines [start, end), or around them.
func (h *hunk) holds(start, end int) bool {
	return h.start < end && start < h.end || start == end && h.start < start && start < h.end
}
