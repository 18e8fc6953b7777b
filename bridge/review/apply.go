package review

import (
	"math"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// edit is a block of a change, and the hunk it is known to belong to.
type edit struct {
	lines.Block
	into int   // index of the one hunk it belongs to; -1: found out by place
	as   *hunk // the hunk it brings back
}

func placed(ks []lines.Block) []edit {
	es := make([]edit, len(ks))
	for i, k := range ks {
		es[i] = edit{Block: k, into: -1}
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
	hs := make([]hunk, 0, len(f.Hunks)+1)
	was := map[int]string{} // by index in hs: the text before, of hunks that changed
	next, shift := 0, 0
	pass := func(to int) {
		for ; next < to; next++ {
			h := f.Hunks[next]
			h.Start, h.End = h.Start+shift, h.End+shift
			hs = append(hs, h)
			out.shown = out.shown || shift != 0
		}
	}
	fresh := 0
	for _, c := range f.clusters(es, o) {
		pass(c.h0)
		ce := es[c.e0:c.e1]
		for i := range ce {
			if !c.free() {
				ce[i].Rank = f.Hunks[c.h0].Rank
			} else if ce[i].Rank == 0 {
				ce[i].Rank = math.MaxInt // new: below everything that stands there
			}
		}
		grow := 0
		for _, e := range ce {
			grow += e.Delta()
		}
		if ce[0].as != nil {
			h := *ce[0].as
			h.Start, h.End = ce[0].Start+shift, ce[0].End+shift+grow
			hs, out.shown = append(hs, h), true
		} else if o.agent || !c.free() {
			lo, hi := ce[0].Start, ce[len(ce)-1].End
			if !c.free() {
				lo, hi = min(lo, f.Hunks[c.h0].Start), max(hi, f.Hunks[c.h1-1].End)
			}
			f.swallow(lo, hi, f.Hunks[c.h0:c.h1])
			h := join(&f.Body, lo, hi, f.Hunks[c.h0:c.h1])
			before := strings.Clone(f.Slice(lo, hi))
			h.Start, h.End = lo+shift, hi+shift+grow
			if c.free() {
				h.Rank = f.rankAt(hs, lo)
				fresh++
			}
			if ce[0].into < 0 { // undo and redo say themselves what the hunk is after
				h.change(o, before, newID)
			}
			was[len(hs)] = before
			hs, out.shown = append(hs, h), true
		}
		next, shift = c.h1, shift+grow
	}
	pass(len(f.Hunks))

	ks := make([]lines.Block, len(es))
	for i, e := range es {
		ks[i] = e.Block
	}
	f.Replace(ks, full)
	for i := range f.Marks {
		if !f.Marks[i].Stale {
			f.Marks[i].move(ks)
		}
	}
	out.lost = f.setHunks(hs, was)
	if fresh > 0 {
		f.rerank(out.lost)
	}
	return out
}

// change notes in the hunk that somebody changed it; before is its text until then.
func (h *hunk) change(o origin, before string, newID func() string) {
	if !o.agent {
		if !h.Touched && len(h.Layers) > 1 {
			h.After = before
		}
		h.Touched = true
		return
	}
	if h.ID == "" {
		h.ID = newID()
	}
	if len(h.Layers) == 0 {
		before = h.Old // the same text, held once
	}
	if len(h.Layers) == 0 || h.turn() != o.turn {
		h.Layers = append(slices.Clip(h.Layers), layer{o.session, o.turn, o.change, before})
	}
	h.Touched, h.After, h.Group = false, "", o.change
}

// setHunks puts hunks right after a change and makes them those of the file: those
// that end in an open line take along what follows, those that say nothing any
// more go and are returned, the others shed the lines that are the same on both
// sides. was has the text before, by index, of the hunks that changed.
func (f *file) setHunks(hs []hunk, was map[int]string) (gone []lost) {
	if was == nil {
		was = map[int]string{}
	}
	for i := len(hs) - 2; i >= 0; i-- {
		if !lines.Open(hs[i].Old) && !lines.Open(f.Slice(hs[i].Start, hs[i].End)) {
			continue
		}
		last := len(hs) - 1
		before := was[i]
		for k := i + 1; k <= last; k++ {
			before += was[k]
			delete(was, k)
		}
		was[i] = before
		f.swallow(hs[i].Start, hs[last].End, hs[i:])
		hs[i] = join(&f.Body, hs[i].Start, hs[last].End, hs[i:])
		hs = hs[:i+1]
	}
	rest := hs[:0]
	for i, h := range hs {
		if before, ok := was[i]; ok {
			if f.Slice(h.Start, h.End) == h.Old {
				gone = append(gone, lost{h, before})
				continue
			}
			h.trim(&f.Body)
		}
		rest = append(rest, h)
	}
	f.Hunks = rest
	return gone
}
