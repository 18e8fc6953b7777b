package review

import (
	"fmt"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
)

// land makes a change in flight part of the file.
func (st *state) land(op *landOp) error {
	fl := st.flights[op.ID]
	if fl == nil {
		return fmt.Errorf("change %d is shown and was not begun", op.ID)
	}
	path := fl.path()
	f := st.files[path]
	if f == nil {
		return fmt.Errorf("change %d is shown in %s, of which nothing is known", op.ID, path)
	}
	blocks := op.Blocks
	if op.Rewind && fl.saved != nil {
		f = fl.saved
		st.files[path] = f
	}
	if op.Own || op.Rewind {
		blocks = fl.blocks
	}
	if fl.textual() || fl.c.Kind == KindMove {
		if err := f.Fits(blocks); err != nil {
			return err
		}
	}
	st.shown[f.path] = true
	st.nextChange++
	o := origin{agent: true, session: fl.c.Session, turn: fl.c.Turn, change: st.nextChange}
	for _, other := range st.flightsOf(path) {
		if other != fl || !op.Guess {
			other.saved = nil
		}
		other.at = nil
	}
	fl.landed, fl.guess, fl.change = !op.Back, op.Guess, o.change
	f.settled()
	switch {
	case op.Back:
		f.apply(placed(blocks), o, "", st.newID)
	case fl.c.Kind == KindMove:
		st.landMove(f, fl, blocks, o)
	case fl.c.NoImage != "":
		*f = file{path: f.path, exists: fl.c.Kind != KindDelete, based: f.based, blind: true, from: f.from, op: f.op, mode: f.mode, bom: f.bom}
		f.opaque = st.fileOp(fl, o)
		f.opaque.reason = fl.c.NoImage
	case fl.c.Kind == KindDelete:
		st.landDelete(f, fl, o)
	case !f.exists:
		st.landCreate(f, fl, blocks, o)
	default:
		st.write(f, blocks, o)
		f.remode = f.remode || fl.c.Remode
		if fl.c.Remark {
			st.remark(f, fl, o)
		}
	}
	st.tidy(f.path)
	return nil
}

// remark: the byte order mark came or went. Twice is as it was.
func (st *state) remark(f *file, fl *flight, o origin) {
	switch {
	case f.op == nil:
		f.op = st.fileOp(fl, o)
		f.op.kind = KindEdit
	case f.op.kind == KindEdit:
		f.op = nil
	}
}

// write makes a change of the agent true in a text.
func (st *state) write(f *file, blocks []lines.Block, o origin) {
	for _, l := range f.apply(placed(blocks), o, "", st.newID).lost {
		last := len(l.h.layers) - 1
		if last == 0 || l.h.turn() != o.turn {
			continue // it came and went in one turn
		}
		m := mark{kind: reverted, h: l.h, text: l.h.layers[last].before, undoneTurn: o.turn}
		m.h.layers, m.h.touched, m.h.after = m.h.layers[:last:last], false, ""
		f.addMark(m)
	}
}

func (st *state) fileOp(fl *flight, o origin) *fileOp {
	return &fileOp{id: st.newID(), session: o.session, turn: o.turn, kind: fl.c.Kind, from: fl.c.From, dirs: fl.c.Dirs}
}

// landCreate: a file is there that was not. Where the agent had deleted one before, the two add up to an edit.
func (st *state) landCreate(f *file, fl *flight, blocks []lines.Block, o origin) {
	f.exists, f.missing, f.blind, f.marks = true, false, false, nil
	f.pasts, f.saved = nil, nil
	if f.based {
		f.op, f.remode = nil, true
		if fl.c.BOM != f.bom {
			st.remark(f, fl, o)
		}
	} else {
		f.op = st.fileOp(fl, o)
		f.mode, f.bom = fl.c.Mode, fl.c.BOM
	}
	f.apply(placed(blocks), o, "", st.newID)
	if f.based {
		f.split(st.newID)
	}
}

// landDelete: the file is gone. All its hunks become the one that takes away all of its base.
func (st *state) landDelete(f *file, fl *flight, o origin) {
	if f.from != "" {
		// Where yet another file has taken the old place, the deletion counts for the new one.
		switch in := st.files[f.from]; {
		case in == nil || !in.pending():
			st.rekey(f, f.from)
		case in.op != nil && in.op.kind == KindCreate:
			in.mode, in.bom, in.remode = f.mode, f.bom, true
			st.replaced(in, f.base(), o)
			*f = file{path: f.path}
			return
		}
		f.from, f.op = "", nil
	}
	created := f.op != nil && f.op.kind == KindCreate
	if created && f.base() == "" {
		*f = file{path: f.path} // it came and went
		return
	}
	h := join(&f.Body, 0, f.Lines(), f.hunks)
	h.change(o, strings.Clone(f.Text), st.newID)
	h.start, h.end, h.rank = 0, 0, 1
	f.Body, f.hunks, f.marks, f.opaque = lines.New(""), nil, nil, nil
	f.pasts, f.saved = nil, nil
	if h.old != "" {
		f.hunks = []hunk{h}
	}
	f.exists, f.missing, f.based, f.op = false, false, true, st.fileOp(fl, o)
}

// replaced: what the agent created stands where a file was that it has moved away
// and deleted since; the two add up to an edit.
func (st *state) replaced(f *file, base string, o origin) {
	st.shown[f.path] = true
	now := f.Text
	f.Body, f.hunks, f.marks = lines.New(base), nil, nil
	f.pasts, f.saved = nil, nil
	f.based, f.op = true, nil
	st.write(f, f.BlocksTo(now), o)
}

// landMove: the file has another path. Where it lands on one that the agent had
// changed already, the two add up to a deletion here and an edit there.
func (st *state) landMove(f *file, fl *flight, blocks []lines.Block, o origin) {
	to := fl.c.Path
	f.missing = false
	if d := st.files[to]; d != nil && d.pending() {
		st.shown[to] = true
		text := f.Weave(0, f.Lines(), blocks)
		ks := d.BlocksTo(text)
		if d.exists {
			st.write(d, ks, o)
		} else {
			st.landCreate(d, fl, ks, o)
		}
		st.landDelete(f, fl, o)
		if f.op != nil {
			f.op.kind, f.op.from = KindDelete, ""
		}
		return
	}
	st.rekey(f, to)
	switch {
	case f.op != nil && f.op.kind == KindCreate:
		f.op.dirs = append(f.op.dirs[:len(f.op.dirs):len(f.op.dirs)], fl.c.Dirs...)
	case f.from == to:
		f.from, f.op = "", nil
	case f.op != nil && f.op.kind == KindMove:
		f.op.mixed = f.op.mixed || f.op.turn != o.turn
		f.op.session, f.op.turn = o.session, o.turn
	default:
		f.from, f.op = fl.c.From, st.fileOp(fl, o)
	}
	st.write(f, blocks, o)
}

// split makes several hunks of those that stand for more than was changed.
func (f *file) split(newID func() string) {
	var out []hunk
	for _, h := range f.hunks {
		old, now := lines.New(h.old), lines.New(f.Slice(h.start, h.end))
		ds := diff.Lines(old.Text, now.Text)
		if len(h.layers) > 1 || len(ds) == 1 && ds[0].OldEnd-ds[0].OldStart == old.Lines() {
			out = append(out, h)
			continue
		}
		for i, d := range ds {
			p := h
			if i > 0 {
				p.id = newID()
			}
			p.old = strings.Clone(old.Slice(d.OldStart, d.OldEnd))
			p.start, p.end = h.start+d.NewStart, h.start+d.NewEnd
			l := h.layers[0]
			l.before = p.old
			p.layers = []layer{l}
			out = append(out, p)
		}
	}
	f.settle(out, nil, origin{agent: true}, &outcome{})
	f.rerank(nil)
}
