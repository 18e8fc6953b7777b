package review

import (
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// Lines are lines [Start, End) of a file's text as it is now.
type Lines struct{ Start, End int }

// part makes hunks of their own of what lies within the selector's lines, and has the selector pick those. What was taken out above
// or below a line belongs to it. A conflict says why nothing can be decided about these lines alone. The caller holds b.mu.
func (b *Book) part(sel Selector) (Selector, []Conflict) {
	if sel.Lines == nil {
		return sel, nil
	}
	picked := Selector{Hunks: []string{}, Path: sel.Path}
	f := b.st.files[sel.Path]
	if f == nil {
		return picked, nil
	}
	at := *sel.Lines
	at.Start, at.End = max(0, min(at.Start, f.Lines())), max(0, min(at.End, f.Lines()))
	if f.cuts(at) {
		if len(b.st.flightsOf(f.Path)) > 0 {
			return picked, []Conflict{{Path: f.Path, Reason: busyReason}}
		}
		b.do(record{Part: &partOp{Path: f.Path, Lines: at}})
		if f.cuts(at) {
			return picked, []Conflict{{Path: f.Path, Reason: glueReason}}
		}
	}
	for i := range f.Hunks {
		if h := &f.Hunks[i]; at.touches(h) {
			picked.Hunks = append(picked.Hunks, h.ID)
		}
	}
	return picked, nil
}

// touches says that the lines are about a hunk, or a part of it.
func (l Lines) touches(h *hunk) bool {
	return h.Start < l.End && l.Start < h.End || h.Start == h.End && l.Start <= h.Start && h.Start <= l.End
}

// Part says that the lines are a part of a pending hunk, or hold a part of it.
func (l Lines) Part(h Hunk) bool { return l.cuts(&hunk{Start: h.StartLine, End: h.EndLine}) }

// cuts says that the lines are about a part of a hunk.
func (l Lines) cuts(h *hunk) bool { return l.touches(h) && (h.Start < l.Start || l.End < h.End) }

// cuts says that the lines end within a hunk.
func (f *file) cuts(l Lines) bool {
	return slices.ContainsFunc(f.Hunks, func(h hunk) bool { return l.cuts(&h) })
}

// partHunks makes several hunks of those in which the lines end. The text and the base stay as they are.
func (st *state) partHunks(f *file, l Lines) {
	var out []hunk
	for _, h := range f.Hunks {
		if !l.cuts(&h) {
			out = append(out, h)
			continue
		}
		ps := f.parts(&h, max(h.Start, l.Start), min(h.End, l.End))
		for i := range ps[min(1, len(ps)):] {
			ps[i+1].ID = st.newID()
		}
		f.partPast(&h, ps)
		out = append(out, ps...)
	}
	f.setHunks(out, nil)
	f.rerank(nil)
	st.shown[f.Path] = true
}

// parts gives what a hunk is above, within and below lines [start, end), as far as it is anything there.
func (f *file) parts(h *hunk, start, end int) (out []hunk) {
	now := f.Slice(h.Start, h.End)
	// The versions of the hunk, from the base's to the last one of the agent's.
	versions := []string{h.Old}
	for _, l := range h.Layers[1:] {
		versions = append(versions, l.Before)
	}
	versions = append(versions, h.written(now))
	pairs := make([]lines.Pairs, len(versions))
	bodies := make([]lines.Body, len(versions))
	for i, v := range versions {
		pairs[i], bodies[i] = lines.PairsOf(v, now), lines.New(v)
	}
	// cut gives the versions of the lines between two borders of the text; above and below say that a version goes on there.
	cut := func(lo, hi int) hunk {
		p := *h
		p.Start, p.End, p.Layers, p.After = lo, hi, nil, ""
		vs := make([]string, len(versions))
		for i := range vs {
			from, to := 0, bodies[i].Lines()
			if lo > h.Start {
				from = border(pairs[i], lo-h.Start, lo == start)
			}
			if hi < h.End {
				to = border(pairs[i], hi-h.Start, hi == start)
			}
			vs[i] = strings.Clone(bodies[i].Slice(from, max(from, to)))
		}
		p.Old = vs[0]
		for i, l := range h.Layers {
			if l.Before = vs[i]; vs[i] != vs[i+1] {
				p.Layers = append(p.Layers, l)
			}
		}
		if len(p.Layers) == 0 { // the user's, who touched what the agent had done there
			l := h.Layers[0]
			l.Before = p.Old
			p.Layers = append(p.Layers, l)
		}
		if text := f.Slice(lo, hi); h.Touched && len(p.Layers) > 1 {
			if p.Touched = vs[len(vs)-1] != text; p.Touched {
				p.After = vs[len(vs)-1]
			}
		}
		return p
	}
	for _, at := range []Lines{{h.Start, start}, {start, end}, {end, h.End}} {
		if p := cut(at.Start, at.End); p.Old != f.Slice(p.Start, p.End) {
			out = append(out, p)
		}
	}
	return out
}

// border is where an older version of a hunk is cut for a border of the text: what was taken out there goes to the lines that were
// picked, which begin there or end there.
func border(p lines.Pairs, at int, begins bool) int {
	first, last := p.Of(at, at)
	if begins {
		return first
	}
	return last
}
