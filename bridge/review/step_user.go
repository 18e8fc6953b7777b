package review

import (
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// user makes true what somebody else than the agent did to a text.
func (st *state) user(f *file, op *userOp) error {
	if err := f.Fits(op.Blocks); err != nil {
		return err
	}
	f.Blind = false
	if !f.Exists {
		// The user made the file anew: what the agent had done to the one before no longer matters.
		text := f.Weave(0, f.Lines(), op.Blocks)
		*f = file{Path: f.Path, Body: lines.New(text), Exists: true, Based: true, Mode: f.Mode, BOM: f.BOM}
		st.shown[f.Path] = true
		return nil
	}
	was, text := f.leave(), f.Text
	out := f.apply(placed(op.Blocks), origin{}, op.full, st.newID)
	f.endRedo()
	for _, fl := range st.flightsOf(f.Path) {
		fl.at = lines.Moved(fl.at, op.Blocks)
	}
	st.lose(f, out)
	f.left(was, text)
	return nil
}

// lose remembers the hunks that the user undid.
func (st *state) lose(f *file, out outcome) {
	if out.shown {
		st.shown[f.Path] = true
	}
	flights := st.flightsOf(f.Path)
	out.lost = slices.DeleteFunc(out.lost, func(l lost) bool {
		return slices.ContainsFunc(flights, func(fl *flight) bool { return fl.waitsFor(&l.h) })
	})
	if len(out.lost) == 0 {
		return
	}
	for _, fl := range st.flightsOf(f.Path) {
		fl.saved = nil
	}
	group := st.group()
	for _, l := range out.lost {
		f.addMark(mark{Kind: undone, Hunk: l.h, Text: l.text, Group: group})
		st.note(f, &l.h, l.text)
	}
}

func (st *state) group() uint64 {
	st.NextGroup++
	return st.NextGroup
}

// convert gives every text of the file other line ends.
func (st *state) convert(f *file, crlf bool) {
	to := func(s string) string {
		s = strings.ReplaceAll(s, "\r\n", "\n")
		if crlf {
			s = strings.ReplaceAll(s, "\n", "\r\n")
		}
		return s
	}
	one := func(h *hunk) {
		h.Old, h.After = to(h.Old), to(h.After)
		h.Layers = slices.Clone(h.Layers)
		for i := range h.Layers {
			h.Layers[i].Before = to(h.Layers[i].Before)
		}
	}
	was := map[int]string{}
	for i := range f.Hunks {
		one(&f.Hunks[i])
		was[i] = f.Hunks[i].Old
	}
	f.Body = lines.New(to(f.Text))
	f.Pasts, f.Saved = nil, nil
	f.setHunks(f.Hunks, was) // some may have changed nothing but line ends
	for i := range f.Marks {
		one(&f.Marks[i].Hunk)
		f.Marks[i].Text = to(f.Marks[i].Text)
	}
	for _, fl := range st.flightsOf(f.Path) {
		fl.c.Before, fl.c.After = to(fl.c.Before), to(fl.c.After)
		was := lines.New(fl.c.Before)
		fl.blocks, fl.at = was.BlocksTo(fl.c.After), nil
	}
	st.shown[f.Path] = true
}

// away notes that the file is gone, or back, or of no interest any more.
func (st *state) away(f *file, op *awayOp) {
	st.shown[f.Path] = true
	f.Missing = op.Missing
	if op.Drop {
		*f = file{Path: f.Path}
	}
}

// keep accepts hunks: their text becomes part of the base.
func (st *state) keep(f *file, ids []string) {
	st.shown[f.Path] = true
	whole := f.Op != nil && f.Op.Kind != KindMove && slices.Contains(ids, f.Op.ID)
	var rest []hunk
	last := -1
	for _, h := range f.Hunks {
		if !whole && !slices.Contains(ids, h.ID) {
			rest = append(rest, h)
			continue
		}
		f.keepPast(&h)
		f.addMark(mark{Kind: kept, Hunk: h})
		last = len(f.Marks) - 1
	}
	f.Hunks = rest
	if f.Opaque != nil && slices.Contains(ids, f.Opaque.ID) {
		f.Opaque = nil
	}
	switch op := f.Op; {
	case op == nil:
	case op.Kind == KindMove && slices.Contains(ids, op.ID):
		f.addMark(mark{Kind: kept, File: op, Hunk: opHunk(op)})
		f.From, f.Op = "", nil
	case op.Kind != KindMove && len(f.Hunks) == 0 && (whole || last >= 0):
		if last < 0 {
			f.addMark(mark{Kind: kept, Hunk: opHunk(op)})
			last = len(f.Marks) - 1
		}
		f.Marks[last].File = op
		f.Based, f.Op = op.Kind != KindDelete, nil
	}
}

// opHunk stands for a change of the file itself where no text changed.
func opHunk(op *fileOp) hunk {
	return hunk{ID: op.ID, Layers: []layer{{Session: op.Session, Turn: op.Turn}}}
}

// forget gives up the undo of a turn: its marks go, and its part of the pending
// hunks counts as accepted.
func (st *state) forget(turn string) {
	for path, f := range st.files {
		f.dropMarks(turn)
		f.Pasts, f.Saved = nil, nil
		var rest []hunk
		for _, h := range f.Hunks {
			for len(h.Layers) > 0 && h.Layers[0].Turn == turn {
				h.Layers = h.Layers[1:]
			}
			if len(h.Layers) == 0 {
				continue
			}
			h.Old = h.Layers[0].Before
			rest = append(rest, h)
		}
		if len(rest) != len(f.Hunks) {
			st.shown[path] = true
		}
		f.setHunks(rest, nil)
		if f.Op != nil && f.Op.Turn == turn && len(rest) == 0 {
			f.Based, f.From, f.Op = f.Exists, "", nil
			st.shown[path] = true
		}
		if f.Opaque != nil && f.Opaque.Turn == turn {
			f.Opaque = nil
			st.shown[path] = true
		}
		st.tidy(path)
	}
	st.Turns = slices.DeleteFunc(st.Turns, func(t string) bool { return t == turn })
}
