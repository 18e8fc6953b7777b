package review

import (
	"slices"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// draft works out the plan for one file.
type draft struct {
	b         *Book
	f         *file
	sel       Selector
	found     map[string]bool
	u         UndoFile
	op        undoOp
	ks        []lines.Block
	conflicts []Conflict
}

func (d *draft) refuse(id, reason string) {
	d.found[id] = true
	d.conflicts = append(d.conflicts, Conflict{id, d.f.path, reason})
}

// clash says that two of the texts that the plan puts in place would run into each other.
func (d *draft) clash(k lines.Block) bool {
	return slices.ContainsFunc(d.ks, func(o lines.Block) bool {
		first, second := k, o
		if o.Compare(k) < 0 {
			first, second = o, k
		}
		return lines.Open(string(first.Text)) && second.Text != ""
	})
}

func (d *draft) add(it undoItem, k lines.Block) {
	if d.clash(k) {
		d.refuse(it.ID, glueReason)
		return
	}
	d.found[it.ID] = true
	d.op.Items = append(d.op.Items, it)
	d.u.Hunks = append(d.u.Hunks, it.ID)
	d.ks = append(d.ks, k)
}

// blocked says why nothing in the file can be undone now.
func (d *draft) blocked() string {
	switch {
	case d.f.missing && d.f.op != nil && d.f.op.kind != KindEdit:
		return missingReason
	case slices.ContainsFunc(d.b.st.flightsOf(d.f.path), func(fl *flight) bool { return !fl.orphan }):
		return busyReason
	}
	return ""
}

func (d *draft) undo() {
	f, why := d.f, d.blocked()
	d.u = UndoFile{Path: f.path, Action: ActionWrite, Current: f.Text, Mode: f.mode, BOM: f.bom}
	whole := f.op != nil && f.op.kind != KindMove && slices.Contains(d.sel.Hunks, f.op.id)
	for i := range f.hunks {
		h := &f.hunks[i]
		if !whole && !d.sel.picks(f.path, h) {
			continue
		}
		if why != "" {
			d.refuse(h.id, why)
			continue
		}
		d.hunk(h)
	}
	if d.sel.Turn != "" && why == "" {
		d.reverted()
		if d.sel.Kept {
			d.kept()
		}
	}
	d.file(why, whole)
	lines.InOrder(d.ks)
	if f.Fits(d.ks) == nil {
		d.u.Target = f.Weave(0, f.Lines(), d.ks)
	}
	d.u.Marked, d.u.Remode = (len(d.ks) > 0 || d.op.File) && d.u.Target == f.base(), f.remode
	if d.u.Action == ActionWrite {
		d.u.Disk = f.image.of(d.u.Target)
	}
	if f.missing {
		d.restore()
	}
	d.finish()
}

// restore makes the plan for a file that another program took away one that makes it again, if all of it is undone.
func (d *draft) restore() {
	switch {
	case len(d.op.Items) == 0:
	case d.u.Target == d.f.base():
		d.u.Action, d.u.Marked, d.u.Disk = ActionRestore, false, nil
		if disk := d.f.image.of(d.u.Target); disk != nil {
			d.u.Target = *disk
		}
	default:
		for _, id := range d.u.Hunks {
			d.refuse(id, missingReason)
		}
		d.op, d.u.Hunks = undoOp{}, nil
	}
}

// hunk plans one pending hunk, or the part of the selector's turn in it.
func (d *draft) hunk(h *hunk) {
	f, turn := d.f, d.sel.Turn
	if turn == "" || h.only(turn) {
		d.add(undoItem{ID: h.id}, h.block(h.old))
		return
	}
	if f.op != nil && (f.op.kind == KindDelete && f.op.turn != turn || f.op.kind == KindCreate && f.op.turn == turn) {
		d.refuse(h.id, laterReason)
		return
	}
	now := f.Slice(h.start, h.end)
	text, _, ok := h.without(turn, now)
	switch {
	case !ok && h.turn() == turn:
		d.refuse(h.id, touchedReason)
	case !ok:
		d.refuse(h.id, laterReason)
	case f.exists && f.glues(h.start, h.end, text):
		d.refuse(h.id, glueReason)
	default:
		d.add(undoItem{ID: h.id, Turn: turn, Text: lines.Blob(text)}, h.block(text))
	}
}

// reverted plans what the selector's turn had reverted of older turns' hunks.
func (d *draft) reverted() {
	f := d.f
	for i := range f.marks {
		m := &f.marks[i]
		if m.kind != reverted || m.undoneTurn != d.sel.Turn || !d.narrow(m) || f.mark(m.h.id, reverted) != i || f.hunk(m.h.id) >= 0 {
			continue
		}
		why := d.unfit(m)
		if !f.exists {
			why = touchedReason
		}
		if why != "" {
			d.refuse(m.h.id, why)
			continue
		}
		d.add(undoItem{ID: m.h.id, Back: true}, m.h.block(m.text))
	}
}

// narrow says that the mark is what the selector leaves but for the turn.
func (d *draft) narrow(m *mark) bool {
	s := d.sel
	return (s.Hunks == nil || slices.Contains(s.Hunks, m.h.id)) && (s.Path == "" || s.Path == d.f.path) && (s.Session == "" || s.Session == m.h.session())
}

// kept plans what the user had kept of the selector's turn.
func (d *draft) kept() {
	f := d.f
	for i := range f.marks {
		m := &f.marks[i]
		if m.kind != kept || !m.turnMatches(d.sel.Turn) || !d.narrow(m) || f.mark(m.h.id, kept) != i {
			continue
		}
		switch {
		case m.stale:
			d.refuse(m.h.id, touchedReason)
		case !m.h.only(d.sel.Turn):
			d.refuse(m.h.id, "other turns have a part in it, and it was kept; change it by hand")
		case !f.free(m.h.start, m.h.end):
			d.refuse(m.h.id, laterReason)
		case f.exists && f.glues(m.h.start, m.h.end, m.h.old):
			d.refuse(m.h.id, glueReason)
		case m.file == nil && !f.exists:
			d.refuse(m.h.id, touchedReason)
		case m.file != nil && (f.op != nil || m.file.kind != KindDelete && !f.exists || m.file.kind == KindDelete && f.exists):
			d.refuse(m.h.id, touchedReason)
		default:
			d.add(undoItem{ID: m.h.id, Kept: true}, m.h.block(m.h.old))
			if n := len(d.op.Items); m.file != nil && n > 0 && d.op.Items[n-1].ID == m.h.id {
				d.of(m.file)
			}
		}
	}
}

// glues says that text in place of lines [start, end) would run into what follows or precedes.
func (f *file) glues(start, end int, text string) bool {
	if text == "" {
		return false
	}
	return lines.Open(text) && end < f.Lines() || start > 0 && start == f.Lines() && lines.Open(f.Slice(start-1, start))
}

// file plans what happened to the file itself.
func (d *draft) file(why string, whole bool) {
	f := d.f
	if d.sel.picksOp(f.path, f.opaque) {
		d.refuse(f.opaque.id, "the text before is not known: "+f.opaque.reason)
	}
	op := f.op
	if op == nil {
		return
	}
	picked := whole || d.sel.picksOp(f.path, op)
	shown := op.kind == KindMove || len(f.hunks) == 0 // it has a line of its own
	switch {
	case picked && shown && why != "":
		d.refuse(op.id, why)
	case picked && shown && op.mixed && d.sel.Turn != "":
		d.refuse(op.id, laterReason)
	case picked && shown:
		d.found[op.id] = true
		d.op.Items = append(d.op.Items, undoItem{ID: op.id})
		d.u.Hunks = append(d.u.Hunks, op.id)
		d.of(op)
	case op.kind == KindDelete && len(d.op.Items) > 0:
		d.of(op)
	case (op.kind == KindCreate || op.kind == KindEdit) && len(d.op.Items) >= len(f.hunks) && len(f.hunks) > 0 && (d.sel.Turn == "" || picked):
		d.of(op)
	}
	if whole {
		d.found[op.id] = true
	}
}

// of makes the plan one that takes back what happened to the file.
func (d *draft) of(op *fileOp) {
	switch op.kind {
	case KindCreate:
		d.u.Action, d.u.Dirs = ActionRemove, op.dirs
	case KindDelete:
		d.u.Action = ActionRestore
	case KindMove:
		d.u.Action, d.u.To = ActionMove, op.from
	}
	d.op.File = true
}

// finish turns a removal into a write where text of the user's would be left.
func (d *draft) finish() {
	if d.u.Action == ActionRemove && d.u.Target != "" {
		d.u.Action, d.u.Dirs, d.op.File = ActionWrite, nil, false
	}
}
