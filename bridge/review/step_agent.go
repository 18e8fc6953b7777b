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
	st.shown[f.Path] = true
	st.NextChange++
	o := origin{agent: true, session: fl.c.Session, turn: fl.c.Turn, change: st.NextChange}
	for _, other := range st.flightsOf(path) {
		if other != fl || !op.Guess {
			other.saved = nil
		}
		other.at = nil
	}
	fl.landed, fl.guess, fl.change = !op.Back, op.Guess, o.change
	f.endRedo()
	switch {
	case op.Back:
		f.apply(placed(blocks), o, "", st.newID)
	case fl.c.Kind == KindMove:
		st.landMove(f, fl, blocks, o)
	case fl.c.NoImage != "":
		*f = file{Path: f.Path, Exists: fl.c.Kind != KindDelete, Based: f.Based, Blind: true, From: f.From, Op: f.Op, Mode: f.Mode, BOM: f.BOM}
		f.Opaque = st.fileOp(fl, o)
		f.Opaque.Reason = fl.c.NoImage
	case fl.c.Kind == KindDelete:
		st.landDelete(f, fl, o)
	case !f.Exists:
		st.landCreate(f, fl, blocks, o)
	default:
		st.write(f, blocks, o)
		f.Remode = f.Remode || fl.c.Remode
		if fl.c.Remark {
			st.remark(f, fl, o)
		}
	}
	st.tidy(f.Path)
	return nil
}

// remark: the byte order mark came or went. Twice is as it was.
func (st *state) remark(f *file, fl *flight, o origin) {
	switch {
	case f.Op == nil:
		f.Op = st.fileOp(fl, o)
		f.Op.Kind = KindEdit
	case f.Op.Kind == KindEdit:
		f.Op = nil
	}
}

// write makes a change of the agent true in a text.
func (st *state) write(f *file, blocks []lines.Block, o origin) {
	for _, l := range f.apply(placed(blocks), o, "", st.newID).lost {
		last := len(l.h.Layers) - 1
		if last == 0 || l.h.turn() != o.turn {
			continue // it came and went in one turn
		}
		m := mark{Kind: reverted, Hunk: l.h, Text: l.h.Layers[last].Before, UndoneTurn: o.turn}
		m.Hunk.Layers, m.Hunk.Touched, m.Hunk.After = m.Hunk.Layers[:last:last], false, ""
		f.addMark(m)
	}
}

func (st *state) fileOp(fl *flight, o origin) *fileOp {
	return &fileOp{ID: st.newID(), Session: o.session, Turn: o.turn, Kind: fl.c.Kind, From: fl.c.From, Dirs: fl.c.Dirs}
}

// landCreate: a file is there that was not. Where the agent had deleted one before, the two add up to an edit.
func (st *state) landCreate(f *file, fl *flight, blocks []lines.Block, o origin) {
	f.Exists, f.Missing, f.Blind, f.Marks = true, false, false, nil
	f.Pasts, f.Saved = nil, nil
	if f.Based {
		f.Op, f.Remode = nil, true
		if fl.c.BOM != f.BOM {
			st.remark(f, fl, o)
		}
	} else {
		f.Op = st.fileOp(fl, o)
		f.Mode, f.BOM = fl.c.Mode, fl.c.BOM
	}
	f.apply(placed(blocks), o, "", st.newID)
	if f.Based {
		f.split(st.newID)
	}
}

// landDelete: the file is gone. All its hunks become the one that takes away all of its base.
func (st *state) landDelete(f *file, fl *flight, o origin) {
	if f.From != "" {
		// Where yet another file has taken the old place, the deletion counts for the new one.
		switch in := st.files[f.From]; {
		case in == nil || !in.pending():
			st.rekey(f, f.From)
		case in.Op != nil && in.Op.Kind == KindCreate:
			in.Mode, in.BOM, in.Remode = f.Mode, f.BOM, true
			st.replaced(in, f.base(), o)
			*f = file{Path: f.Path}
			return
		}
		f.From, f.Op = "", nil
	}
	created := f.Op != nil && f.Op.Kind == KindCreate
	if created && f.base() == "" {
		*f = file{Path: f.Path} // it came and went
		return
	}
	h := join(&f.Body, 0, f.Lines(), f.Hunks)
	h.change(o, strings.Clone(f.Text), st.newID)
	h.Start, h.End, h.Rank = 0, 0, 1
	f.Body, f.Hunks, f.Marks, f.Opaque = lines.New(""), nil, nil, nil
	f.Pasts, f.Saved = nil, nil
	if h.Old != "" {
		f.Hunks = []hunk{h}
	}
	f.Exists, f.Missing, f.Based, f.Op = false, false, true, st.fileOp(fl, o)
}

// replaced: what the agent created stands where a file was that it has moved away
// and deleted since; the two add up to an edit.
func (st *state) replaced(f *file, base string, o origin) {
	st.shown[f.Path] = true
	now := f.Text
	f.Body, f.Hunks, f.Marks = lines.New(base), nil, nil
	f.Pasts, f.Saved = nil, nil
	f.Based, f.Op = true, nil
	st.write(f, f.BlocksTo(now), o)
}

// landMove: the file has another path. Where it lands on one that the agent had
// changed already, the two add up to a deletion here and an edit there.
func (st *state) landMove(f *file, fl *flight, blocks []lines.Block, o origin) {
	to := fl.c.Path
	f.Missing = false
	if d := st.files[to]; d != nil && d.pending() {
		st.shown[to] = true
		text := f.Weave(0, f.Lines(), blocks)
		ks := d.BlocksTo(text)
		if d.Exists {
			st.write(d, ks, o)
		} else {
			st.landCreate(d, fl, ks, o)
		}
		st.landDelete(f, fl, o)
		if f.Op != nil {
			f.Op.Kind, f.Op.From = KindDelete, ""
		}
		return
	}
	st.rekey(f, to)
	switch {
	case f.Op != nil && f.Op.Kind == KindCreate:
		f.Op.Dirs = append(f.Op.Dirs[:len(f.Op.Dirs):len(f.Op.Dirs)], fl.c.Dirs...)
	case f.From == to:
		f.From, f.Op = "", nil
	case f.Op != nil && f.Op.Kind == KindMove:
		f.Op.Mixed = f.Op.Mixed || f.Op.Turn != o.turn
		f.Op.Session, f.Op.Turn = o.session, o.turn
	default:
		f.From, f.Op = fl.c.From, st.fileOp(fl, o)
	}
	st.write(f, blocks, o)
}

// split makes several hunks of those that stand for more than was changed.
func (f *file) split(newID func() string) {
	var out []hunk
	for _, h := range f.Hunks {
		old, now := lines.New(h.Old), lines.New(f.Slice(h.Start, h.End))
		ds := diff.Lines(old.Text, now.Text)
		if len(h.Layers) > 1 || len(ds) == 1 && ds[0].OldEnd-ds[0].OldStart == old.Lines() {
			out = append(out, h)
			continue
		}
		for i, d := range ds {
			p := h
			if i > 0 {
				p.ID = newID()
			}
			p.Old = strings.Clone(old.Slice(d.OldStart, d.OldEnd))
			p.Start, p.End = h.Start+d.NewStart, h.Start+d.NewEnd
			l := h.Layers[0]
			l.Before = p.Old
			p.Layers = []layer{l}
			out = append(out, p)
		}
	}
	f.setHunks(out, nil)
	f.rerank(nil)
}
