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
	f.blind = false
	if !f.exists {
		// The user made the file anew: what the agent had done to the one before no longer matters.
		text := f.Weave(0, f.Lines(), op.Blocks)
		*f = file{path: f.path, Body: lines.New(text), exists: true, based: true, mode: f.mode, bom: f.bom}
		st.shown[f.path] = true
		return nil
	}
	was, text := f.leave(), f.Text
	out := f.apply(placed(op.Blocks), origin{}, op.full, st.newID)
	f.settled()
	for _, fl := range st.flightsOf(f.path) {
		fl.at = lines.Moved(fl.at, op.Blocks)
	}
	st.lose(f, out)
	f.left(was, text)
	return nil
}

// lose remembers the hunks that the user undid.
func (st *state) lose(f *file, out outcome) {
	if out.shown {
		st.shown[f.path] = true
	}
	flights := st.flightsOf(f.path)
	out.lost = slices.DeleteFunc(out.lost, func(l lost) bool {
		return slices.ContainsFunc(flights, func(fl *flight) bool { return fl.waitsFor(&l.h) })
	})
	if len(out.lost) == 0 {
		return
	}
	for _, fl := range st.flightsOf(f.path) {
		fl.saved = nil
	}
	group := st.group()
	for _, l := range out.lost {
		f.addMark(mark{kind: undone, h: l.h, text: l.text, group: group})
		st.note(f, &l.h, l.text)
	}
}

func (st *state) group() uint64 {
	st.nextGroup++
	return st.nextGroup
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
		h.old, h.after = to(h.old), to(h.after)
		h.layers = slices.Clone(h.layers)
		for i := range h.layers {
			h.layers[i].before = to(h.layers[i].before)
		}
	}
	was := map[int]string{}
	for i := range f.hunks {
		one(&f.hunks[i])
		was[i] = f.hunks[i].old
	}
	f.Body = lines.New(to(f.Text))
	f.pasts, f.saved = nil, nil
	f.settle(f.hunks, was, origin{agent: true}, &outcome{}) // some may have changed nothing but line ends
	for i := range f.marks {
		one(&f.marks[i].h)
		f.marks[i].text = to(f.marks[i].text)
	}
	for _, fl := range st.flightsOf(f.path) {
		fl.c.Before, fl.c.After = to(fl.c.Before), to(fl.c.After)
		was := lines.New(fl.c.Before)
		fl.blocks, fl.at = was.BlocksTo(fl.c.After), nil
	}
	st.shown[f.path] = true
}

// away notes that the file is gone, or back, or of no interest any more.
func (st *state) away(f *file, op *awayOp) {
	st.shown[f.path] = true
	f.missing = op.Missing
	if op.Drop {
		*f = file{path: f.path}
	}
}

// keep accepts hunks: their text becomes part of the base.
func (st *state) keep(f *file, ids []string) {
	st.shown[f.path] = true
	whole := f.op != nil && f.op.kind != KindMove && slices.Contains(ids, f.op.id)
	var rest []hunk
	last := -1
	for _, h := range f.hunks {
		if !whole && !slices.Contains(ids, h.id) {
			rest = append(rest, h)
			continue
		}
		f.keepPast(&h)
		f.addMark(mark{kind: kept, h: h})
		last = len(f.marks) - 1
	}
	f.hunks = rest
	if f.opaque != nil && slices.Contains(ids, f.opaque.id) {
		f.opaque = nil
	}
	switch op := f.op; {
	case op == nil:
	case op.kind == KindMove && slices.Contains(ids, op.id):
		f.addMark(mark{kind: kept, file: op, h: opHunk(op)})
		f.from, f.op = "", nil
	case op.kind != KindMove && len(f.hunks) == 0 && (whole || last >= 0):
		if last < 0 {
			f.addMark(mark{kind: kept, h: opHunk(op)})
			last = len(f.marks) - 1
		}
		f.marks[last].file = op
		f.based, f.op = op.kind != KindDelete, nil
	}
}

// opHunk stands for a change of the file itself where no text changed.
func opHunk(op *fileOp) hunk {
	return hunk{id: op.id, layers: []layer{{session: op.session, turn: op.turn}}}
}

// forget gives up the undo of a turn: its marks go, and its part of the pending
// hunks counts as accepted.
func (st *state) forget(turn string) {
	for path, f := range st.files {
		f.dropMarks(turn)
		f.pasts, f.saved = nil, nil
		var rest []hunk
		for _, h := range f.hunks {
			for len(h.layers) > 0 && h.layers[0].turn == turn {
				h.layers = h.layers[1:]
			}
			if len(h.layers) == 0 {
				continue
			}
			h.old = h.layers[0].before
			rest = append(rest, h)
		}
		if len(rest) != len(f.hunks) {
			st.shown[path] = true
		}
		f.settle(rest, nil, origin{agent: true}, &outcome{})
		if f.op != nil && f.op.turn == turn && len(rest) == 0 {
			f.based, f.from, f.op = f.exists, "", nil
			st.shown[path] = true
		}
		if f.opaque != nil && f.opaque.turn == turn {
			f.opaque = nil
			st.shown[path] = true
		}
		st.tidy(path)
	}
	st.turns = slices.DeleteFunc(st.turns, func(t string) bool { return t == turn })
}
