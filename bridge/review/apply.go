package review

import (
	"math"
	"slices"
	"sort"
	"strings"
)

// edit is a block of a change, and the hunk it is known to belong to.
type edit struct {
	block
	into int   // index of the one hunk it belongs to; -1: found out by place
	as   *hunk // the hunk it brings back
}

func placed(ks []block) []edit {
	es := make([]edit, len(ks))
	for i, k := range ks {
		es[i] = edit{block: k, into: -1}
	}
	return es
}

// origin says whose change it is.
type origin struct {
	agent         bool
	session, turn string
	change        uint64 // agent: its number
}

// lost is a hunk that a change brought back to its base text.
type lost struct {
	h    hunk // start and end: where its old text stands now
	text string
}

// outcome is what a change did to the hunks.
type outcome struct {
	lost  []lost
	shown bool // hunks came, went, moved or have another text
}

// cluster is a run of edits and of hunks that touch each other. Without hunks it
// is one edit before hunk h0.
type cluster struct{ h0, h1, e0, e1 int }

func (c cluster) free() bool { return c.h0 == c.h1 }

// apply makes a change true: the text, the hunks, the marks. es are in order and
// do not overlap; full is the whole new text if the caller has it already.
func (f *file) apply(es []edit, o origin, full string, newID func() string) outcome {
	if len(es) == 0 {
		return outcome{}
	}
	if !o.agent {
		es = f.cutAtHunks(es)
	}
	var out outcome
	hs := make([]hunk, 0, len(f.hunks)+1)
	was := map[int]string{} // by index in hs: the text before, of hunks that changed
	next, shift := 0, 0
	pass := func(to int) {
		for ; next < to; next++ {
			h := f.hunks[next]
			h.start, h.end = h.start+shift, h.end+shift
			hs = append(hs, h)
			out.shown = out.shown || shift != 0
		}
	}
	fresh := 0
	for _, c := range f.clusters(es, o) {
		pass(c.h0)
		ce := es[c.e0:c.e1]
		for i := range ce {
			switch {
			case ce[i].as != nil:
				ce[i].rank = ce[i].as.rank
			case c.free():
				ce[i].rank = math.MaxInt
			default:
				ce[i].rank = f.hunks[c.h0].rank
			}
		}
		grow := 0
		for _, e := range ce {
			grow += e.delta()
		}
		if ce[0].as != nil {
			h := *ce[0].as
			h.start, h.end = ce[0].Start+shift, ce[0].End+shift+grow
			hs, out.shown = append(hs, h), true
		} else if o.agent || !c.free() {
			lo, hi := ce[0].Start, ce[len(ce)-1].End
			if !c.free() {
				lo, hi = min(lo, f.hunks[c.h0].start), max(hi, f.hunks[c.h1-1].end)
			}
			f.swallow(lo, hi, f.hunks[c.h0:c.h1])
			h := join(&f.body, lo, hi, f.hunks[c.h0:c.h1])
			before := strings.Clone(f.slice(lo, hi))
			h.start, h.end = lo+shift, hi+shift+grow
			if c.free() {
				h.rank = f.rankAt(hs, lo)
				fresh++
			}
			h.change(o, before, newID)
			was[len(hs)] = before
			hs, out.shown = append(hs, h), true
		}
		next, shift = c.h1, shift+grow
	}
	pass(len(f.hunks))

	ks := make([]block, len(es))
	for i, e := range es {
		ks[i] = e.block
	}
	f.replace(ks, full)
	for i := range f.marks {
		if !f.marks[i].stale {
			f.marks[i].move(ks)
		}
	}
	f.settle(hs, was, o, &out)
	if fresh > 0 {
		f.rerank(out.lost)
	}
	return out
}

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

// change notes in the hunk that somebody changed it; before is its text until then.
func (h *hunk) change(o origin, before string, newID func() string) {
	if !o.agent {
		if !h.touched && len(h.layers) > 1 {
			h.after = before
		}
		h.touched = true
		return
	}
	if h.id == "" {
		h.id = newID()
	}
	if len(h.layers) == 0 {
		before = h.old // the same text, held once
	}
	if len(h.layers) == 0 || h.turn() != o.turn {
		h.layers = append(slices.Clip(h.layers), layer{o.session, o.turn, o.change, before})
	}
	h.touched, h.after, h.group = false, "", o.change
}

// settle puts hunks right after a change and makes them those of the file: those
// that end in an open line take along what follows, those that say nothing any
// more go, the others shed the lines that are the same on both sides.
func (f *file) settle(hs []hunk, was map[int]string, o origin, out *outcome) {
	for i := len(hs) - 2; i >= 0; i-- {
		if !open(hs[i].old) && !open(f.slice(hs[i].start, hs[i].end)) {
			continue
		}
		last := len(hs) - 1
		before := was[i]
		for k := i + 1; k <= last; k++ {
			before += was[k]
			delete(was, k)
		}
		was[i] = before
		f.swallow(hs[i].start, hs[last].end, hs[i:])
		hs[i] = join(&f.body, hs[i].start, hs[last].end, hs[i:])
		hs = hs[:i+1]
	}
	keep := hs[:0]
	for i, h := range hs {
		if before, ok := was[i]; ok {
			if f.slice(h.start, h.end) == h.old {
				out.lost = append(out.lost, lost{h, before})
				continue
			}
			h.trim(&f.body)
		}
		keep = append(keep, h)
	}
	f.hunks = keep
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
	n := len(f.hunks)
	if e.into >= 0 {
		return e.into, e.into + 1
	}
	if e.as == nil {
		h0 = n
		first := sort.Search(n, func(i int) bool { return f.hunks[i].end >= e.Start })
		for i := first; i < n && f.hunks[i].start <= e.End; i++ {
			if f.hunks[i].touches(e.block, o) {
				h0, h1 = min(h0, i), i+1
			}
		}
		if h0 < h1 {
			return h0, h1
		}
	}
	at := sort.Search(n, func(i int) bool {
		h := &f.hunks[i]
		return h.end > e.Start || e.as != nil && h.start == e.Start && h.end == e.Start && h.rank > e.as.rank
	})
	if o.agent || e.as != nil || n == 0 {
		return at, at
	}
	// The user's change outside of the hunks goes into the base too, and must not glue two of its lines.
	if at < n && (open(string(e.Text)) || open(f.slice(e.Start, e.End))) {
		return at, at + 1
	}
	if l := &f.hunks[n-1]; at == n && (open(l.old) || open(f.slice(l.start, l.end))) {
		return n - 1, n
	}
	return at, at
}

// touches says that a block belongs to the hunk.
func (h *hunk) touches(k block, o origin) bool {
	beside := o.agent && h.turn() == o.turn && (k.End == h.start || k.Start == h.end)
	switch {
	case h.start == h.end && o.agent:
		return k.Start <= h.start && h.start <= k.End
	case h.start == h.end:
		return k.Start < h.start && h.start < k.End
	case k.Start == k.End:
		return beside || h.start < k.Start && k.Start < h.end
	}
	return beside || k.Start < h.end && h.start < k.End
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
	if e.into >= 0 || e.as != nil || e.Start == e.End || e.Text != "" && e.delta() != 0 {
		return nil
	}
	var cuts []int
	first := sort.Search(len(f.hunks), func(i int) bool { return f.hunks[i].end > e.Start })
	for i := first; i < len(f.hunks) && f.hunks[i].start < e.End; i++ {
		for _, c := range []int{f.hunks[i].start, f.hunks[i].end} {
			if e.Start < c && c < e.End && (len(cuts) == 0 || cuts[len(cuts)-1] < c) {
				cuts = append(cuts, c)
			}
		}
	}
	if cuts == nil {
		return nil
	}
	text := newBody(string(e.Text))
	var out []edit
	at := e.Start
	for _, c := range append(cuts, e.End) {
		part := text.slice(at-e.Start, c-e.Start) // empty for a deletion
		if part != f.slice(at, c) {
			out = append(out, edit{block{Start: at, End: c, Text: blob(part)}, -1, nil})
		}
		at = c
	}
	return out
}
