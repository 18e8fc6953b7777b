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
	d.conflicts = append(d.conflicts, Conflict{id, d.f.Path, reason})
}

// clash says that two of the texts that the plan puts in place would run into each other.
func (d *draft) clash(k lines.Block) bool {
	return slices.ContainsFunc(d.ks, func(o lines.Block) bool {
		first, second := k, o
		if o.Compare(k) < 0 {
			first, second = o, k
		}
		return lines.Open(first.Text) && second.Text != ""
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
	case d.f.Missing && d.f.Op != nil && d.f.Op.Kind != KindEdit:
		return missingReason
	case slices.ContainsFunc(d.b.st.flightsOf(d.f.Path), func(fl *flight) bool { return !fl.orphan }):
		return busyReason
	}
	return ""
}

func (d *draft) undo() {
	f, why := d.f, d.blocked()
	d.u = UndoFile{Path: f.Path, Action: ActionWrite, Current: f.Text, Mode: f.Mode, BOM: f.BOM}
	whole := f.Op != nil && f.Op.Kind != KindMove && slices.Contains(d.sel.Hunks, f.Op.ID)
	for i := range f.Hunks {
		h := &f.Hunks[i]
		if !whole && !d.sel.picks(f.Path, h) {
			continue
		}
		if why != "" {
			d.refuse(h.ID, why)
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
	d.u.Marked, d.u.Remode = (len(d.ks) > 0 || d.op.File) && d.u.Target == f.base(), f.Remode
	if d.u.Action == ActionWrite {
		d.u.Disk = f.Image.of(d.u.Target)
	}
	if f.Missing {
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
		if disk := d.f.Image.of(d.u.Target); disk != nil {
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
		d.add(undoItem{ID: h.ID}, h.block(h.Old))
		return
	}
	if f.Op != nil && (f.Op.Kind == KindDelete && f.Op.Turn != turn || f.Op.Kind == KindCreate && f.Op.Turn == turn) {
		d.refuse(h.ID, laterReason)
		return
	}
	now := f.Slice(h.Start, h.End)
	text, _, ok := h.without(turn, now)
	switch {
	case !ok && h.turn() == turn:
		d.refuse(h.ID, touchedReason)
	case !ok:
		d.refuse(h.ID, laterReason)
	case f.Exists && f.glues(h.Start, h.End, text):
		d.refuse(h.ID, glueReason)
	default:
		d.add(undoItem{ID: h.ID, Turn: turn, Text: text}, h.block(text))
	}
}

// reverted plans what the selector's turn had reverted of older turns' hunks.
func (d *draft) reverted() {
	f := d.f
	for i := range f.Marks {
		m := &f.Marks[i]
		if m.Kind != reverted || m.UndoneTurn != d.sel.Turn || !d.narrow(m) || f.mark(m.Hunk.ID, reverted) != i || f.hunk(m.Hunk.ID) >= 0 {
			continue
		}
		why := d.unfit(m)
		if !f.Exists {
			why = touchedReason
		}
		if why != "" {
			d.refuse(m.Hunk.ID, why)
			continue
		}
		d.add(undoItem{ID: m.Hunk.ID, Back: true}, m.Hunk.block(m.Text))
	}
}

// narrow says that the mark is what the selector leaves but for the turn.
func (d *draft) narrow(m *mark) bool {
	s := d.sel
	return (s.Hunks == nil || slices.Contains(s.Hunks, m.Hunk.ID)) && (s.Path == "" || s.Path == d.f.Path) && (s.Session == "" || s.Session == m.Hunk.session())
}

// kept plans what the user had kept of the selector's turn.
func (d *draft) kept() {
	f := d.f
	for i := range f.Marks {
		m := &f.Marks[i]
		if m.Kind != kept || !m.turnMatches(d.sel.Turn) || !d.narrow(m) || f.mark(m.Hunk.ID, kept) != i {
			continue
		}
		switch {
		case m.Stale:
			d.refuse(m.Hunk.ID, touchedReason)
		case !m.Hunk.only(d.sel.Turn):
			d.refuse(m.Hunk.ID, "other turns changed it too, and it was kept; edit it yourself")
		case !f.free(m.Hunk.Start, m.Hunk.End):
			d.refuse(m.Hunk.ID, laterReason)
		case f.Exists && f.glues(m.Hunk.Start, m.Hunk.End, m.Hunk.Old):
			d.refuse(m.Hunk.ID, glueReason)
		case m.File == nil && !f.Exists:
			d.refuse(m.Hunk.ID, touchedReason)
		case m.File != nil && (f.Op != nil || m.File.Kind != KindDelete && !f.Exists || m.File.Kind == KindDelete && f.Exists):
			d.refuse(m.Hunk.ID, touchedReason)
		default:
			d.add(undoItem{ID: m.Hunk.ID, Kept: true}, m.Hunk.block(m.Hunk.Old))
			if n := len(d.op.Items); m.File != nil && n > 0 && d.op.Items[n-1].ID == m.Hunk.ID {
				d.of(m.File)
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
	if d.sel.picksOp(f.Path, f.Opaque) {
		d.refuse(f.Opaque.ID, "the text before is not known: "+f.Opaque.Reason)
	}
	op := f.Op
	if op == nil {
		return
	}
	picked := whole || d.sel.picksOp(f.Path, op)
	shown := op.Kind == KindMove || len(f.Hunks) == 0 // it has a line of its own
	switch {
	case picked && shown && why != "":
		d.refuse(op.ID, why)
	case picked && shown && op.Mixed && d.sel.Turn != "":
		d.refuse(op.ID, laterReason)
	case picked && shown:
		d.found[op.ID] = true
		d.op.Items = append(d.op.Items, undoItem{ID: op.ID})
		d.u.Hunks = append(d.u.Hunks, op.ID)
		d.of(op)
	case op.Kind == KindDelete && len(d.op.Items) > 0:
		d.of(op)
	case (op.Kind == KindCreate || op.Kind == KindEdit) && len(d.op.Items) >= len(f.Hunks) && len(f.Hunks) > 0 && (d.sel.Turn == "" || picked):
		d.of(op)
	}
	if whole {
		d.found[op.ID] = true
	}
}

// of makes the plan one that takes back what happened to the file.
func (d *draft) of(op *fileOp) {
	switch op.Kind {
	case KindCreate:
		d.u.Action, d.u.Dirs = ActionRemove, op.Dirs
	case KindDelete:
		d.u.Action = ActionRestore
	case KindMove:
		d.u.Action, d.u.To = ActionMove, op.From
	}
	d.op.File = true
}

// finish turns a removal into a write where text of the user's would be left.
func (d *draft) finish() {
	if d.u.Action == ActionRemove && d.u.Target != "" {
		d.u.Action, d.u.Dirs, d.op.File = ActionWrite, nil, false
	}
}
