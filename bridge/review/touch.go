package review

import (
	"slices"
	"sort"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// cluster is a run of edits and of hunks that touch each other. Without hunks it
// is one edit before hunk h0.
type cluster struct{ h0, h1, e0, e1 int }

func (c cluster) free() bool { return c.h0 == c.h1 }

// clusters finds which edits and hunks touch each other.
func (f *file) clusters(es []edit, o origin) []cluster {
	var cs []cluster
	for i, e := range es {
		h0, h1 := f.touched(e, o)
		if n := len(cs); n > 0 {
			last := &cs[n-1]
			if h0 < h1 && h0 < last.h1 && !last.free() {
				last.h1, last.e1 = max(last.h1, h1), i+1
				continue
			}
			h0 = max(h0, last.h1)
			h1 = max(h1, h0)
		}
		cs = append(cs, cluster{h0, h1, i, i + 1})
	}
	return cs
}

// touched gives the hunks [h0, h1) that an edit belongs to. Without any, h0 is
// the hunk that it stands before.
func (f *file) touched(e edit, o origin) (h0, h1 int) {
	n := len(f.Hunks)
	if e.into >= 0 {
		return e.into, e.into + 1
	}
	if e.as == nil {
		h0 = n
		first := sort.Search(n, func(i int) bool { return f.Hunks[i].End >= e.Start })
		for i := first; i < n && f.Hunks[i].Start <= e.End; i++ {
			if f.Hunks[i].touches(e.Block, o) {
				h0, h1 = min(h0, i), i+1
			}
		}
		if h0 < h1 {
			return h0, h1
		}
	}
	at := sort.Search(n, func(i int) bool {
		h := &f.Hunks[i]
		return h.End > e.Start || e.Rank > 0 && h.Start == e.Start && h.End == e.Start && h.Rank > e.Rank
	})
	if o.agent || e.as != nil || n == 0 {
		return at, at
	}
	// The user's change outside of the hunks goes into the base too, and must not glue two of its lines.
	if at < n && (lines.Open(e.Text) || lines.Open(f.Slice(e.Start, e.End))) {
		return at, at + 1
	}
	if l := &f.Hunks[n-1]; at == n && (lines.Open(l.Old) || lines.Open(f.Slice(l.Start, l.End))) {
		return n - 1, n
	}
	return at, at
}

// touches says that a block belongs to the hunk.
func (h *hunk) touches(k lines.Block, o origin) bool {
	beside := o.agent && h.turn() == o.turn && (k.End == h.Start || k.Start == h.End)
	switch {
	case h.Start == h.End && o.agent:
		return k.Start <= h.Start && h.Start <= k.End
	case h.Start == h.End:
		return k.Start < h.Start && h.Start < k.End
	case k.Start == k.End:
		return beside || h.Start < k.Start && k.Start < h.End
	}
	return beside || k.Start < h.End && h.Start < k.End
}

// cutAtHunks cuts the edits that lie across the border of a hunk, where it can be
// told which part of the new text is for which part of the old: nothing is for
// all, and as many lines as before pair up.
func (f *file) cutAtHunks(es []edit) []edit {
	var out []edit
	for i, e := range es {
		pieces := f.cutAt(e)
		if pieces == nil {
			if out != nil {
				out = append(out, e)
			}
			continue
		}
		if out == nil {
			out = slices.Clone(es[:i])
		}
		out = append(out, pieces...)
	}
	if out == nil {
		return es
	}
	return out
}

// cutAt gives the pieces of one edit, nil if it stays whole.
func (f *file) cutAt(e edit) []edit {
	if e.into >= 0 || e.as != nil || e.Start == e.End || e.Text != "" && e.Delta() != 0 {
		return nil
	}
	var cuts []int
	first := sort.Search(len(f.Hunks), func(i int) bool { return f.Hunks[i].End > e.Start })
	for i := first; i < len(f.Hunks) && f.Hunks[i].Start < e.End; i++ {
		for _, c := range []int{f.Hunks[i].Start, f.Hunks[i].End} {
			if e.Start < c && c < e.End && (len(cuts) == 0 || cuts[len(cuts)-1] < c) {
				cuts = append(cuts, c)
			}
		}
	}
	if cuts == nil {
		return nil
	}
	text := lines.New(e.Text)
	var out []edit
	at := e.Start
	for _, c := range append(cuts, e.End) {
		part := text.Slice(at-e.Start, c-e.Start) // empty for a deletion
		if part != f.Slice(at, c) {
			out = append(out, edit{lines.Block{Start: at, End: c, Text: part}, -1, nil})
		}
		at = c
	}
	return out
}
