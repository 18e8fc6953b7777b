package review

import (
	"cmp"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// recognise finds out whether a new text is the old one with hunks undone, or
// with undone hunks back: what an editor does by its own undo and redo. A line
// diff alone could not always tell which of two equal lines came or went.
func (f *file) recognise(text string, e lines.Ends) (record, bool) {
	if f.Exists || f.Based {
		if ids := f.match(text, e, f.hunkPieces()); ids != nil {
			op := &undoOp{Path: f.Path, File: !f.Exists}
			for _, id := range ids {
				op.Items = append(op.Items, undoItem{ID: id})
			}
			return record{Undo: op}, true
		}
	}
	if ids := f.match(text, e, f.markPieces()); ids != nil {
		return record{Redo: &redoOp{Path: f.Path, IDs: ids}}, true
	}
	return record{}, false
}

// piece is a place where a known text may come to stand.
type piece struct {
	id         string
	start, end int // bytes
	text       string
	group      uint64
}

func (f *file) hunkPieces() []piece {
	ps := make([]piece, len(f.Hunks))
	for i, h := range f.Hunks {
		ps[i] = piece{h.ID, f.Off(h.Start), f.Off(h.End), h.Old, h.Group}
	}
	return ps
}

func (f *file) markPieces() []piece {
	var ps []piece
	for _, m := range f.Marks {
		if m.Kind == undone && m.Fresh && !m.Stale && !m.Part && f.free(m.Hunk.Start, m.Hunk.End) && (m.File == nil || m.File.Kind == KindCreate && !f.Exists) {
			ps = append(ps, piece{m.Hunk.ID, f.Off(m.Hunk.Start), f.Off(m.Hunk.End), m.Text, m.Group})
		}
	}
	slices.SortStableFunc(ps, func(a, b piece) int { return cmp.Compare(a.start, b.start) })
	return ps
}

// match finds the pieces that lead exactly from the text of f to text: all of
// them, those of one group, or a single one.
func (f *file) match(text string, e lines.Ends, ps []piece) []string {
	if len(ps) == 0 {
		return nil
	}
	grow := len(text) - len(f.Text)
	try := func(in func(p *piece) bool) []string {
		var pick []piece
		sum := 0
		for i := range ps {
			if in(&ps[i]) {
				pick = append(pick, ps[i])
				sum += len(ps[i].text) - (ps[i].end - ps[i].start)
			}
		}
		if sum != grow || !f.leads(text, e, pick) {
			return nil
		}
		ids := make([]string, len(pick))
		for i := range pick {
			ids[i] = pick[i].id
		}
		return ids
	}
	if ids := try(func(*piece) bool { return true }); ids != nil {
		return ids
	}
	groups := map[uint64]int{}
	for i := range ps {
		groups[ps[i].group] += len(ps[i].text) - (ps[i].end - ps[i].start)
	}
	for i := range ps {
		g := ps[i].group
		sum, there := groups[g]
		delete(groups, g)
		if there && sum == grow {
			if ids := try(func(p *piece) bool { return p.group == g }); ids != nil {
				return ids
			}
		}
		if p := &ps[i]; len(p.text)-(p.end-p.start) == grow && f.leads(text, e, ps[i:i+1]) {
			return []string{p.id}
		}
	}
	return nil
}

// leads says that putting the pieces in place gives exactly text. e are the ends
// that text shares with f, so that only what lies between has to be compared.
func (f *file) leads(text string, e lines.Ends, ps []piece) bool {
	first := ps[0]
	if first.start > e.Head {
		return false
	}
	from, to := first.start, first.start
	for _, p := range ps {
		if p.start < from {
			return false // marks that overlap
		}
		gap := f.Text[from:p.start]
		if to+len(gap)+len(p.text) > len(text) || text[to:to+len(gap)] != gap || text[to+len(gap):to+len(gap)+len(p.text)] != p.text {
			return false
		}
		from, to = p.end, to+len(gap)+len(p.text)
	}
	return text[to:] == f.Text[from:]
}
