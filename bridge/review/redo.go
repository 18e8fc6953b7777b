package review

import (
	"slices"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// PlanRedo says how to bring undone hunks back, as PlanUndo does for undoing.
// Carried out, they are pending again, with their ids.
func (b *Book) PlanRedo(sel Selector) ([]UndoFile, []Conflict) {
	return b.plan(sel, true, func(d *draft) (record, bool) {
		op := d.redo()
		return record{Redo: op}, len(op.IDs) > 0
	})
}

func (d *draft) redo() *redoOp {
	f, why := d.f, d.blocked()
	op := &redoOp{Path: f.path}
	d.u = UndoFile{Path: f.path, Action: ActionWrite, Current: f.Text, Mode: f.mode, BOM: f.bom}
	if !f.exists {
		d.u.Action = ActionRestore
		for i := range f.marks {
			if o := f.marks[i].file; o != nil && o.kind == KindCreate {
				d.u.Dirs = o.dirs
			}
		}
	}
	last := -1 // what happened to the file itself can come back once
	for i := range f.marks {
		if m := &f.marks[i]; m.kind == undone && m.file != nil {
			last = i
		}
	}
	for i := range f.marks {
		m := &f.marks[i]
		id := m.h.id
		if m.file != nil && slices.Contains(d.sel.Hunks, m.file.id) {
			id = m.file.id
		}
		if m.kind != undone || f.mark(id, undone) != i || !d.picksMark(m, id) {
			continue
		}
		if why == "" {
			why = d.unfit(m)
		}
		if why == "" && m.file != nil && i != last {
			why = laterReason
		}
		if why == "" && d.clash(m.h.block(m.text)) {
			why = glueReason
		}
		if why != "" {
			d.refuse(id, why)
			why = d.blocked()
			continue
		}
		d.found[id] = true
		op.IDs = append(op.IDs, id)
		d.u.Hunks = append(d.u.Hunks, id)
		switch o := m.file; {
		case o != nil && o.kind == KindDelete:
			d.u.Action = ActionRemove
		case o != nil && o.kind == KindMove:
			d.u.Action, d.u.To = ActionMove, o.to
		case o != nil && o.kind == KindEdit:
			d.u.Marked, d.u.BOM = true, !f.bom
		default:
			d.ks = append(d.ks, m.h.block(m.text))
		}
	}
	lines.InOrder(d.ks)
	if f.Fits(d.ks) == nil && d.u.Action != ActionRemove {
		d.u.Target = f.Weave(0, f.Lines(), d.ks)
	}
	return op
}

// picksMark says that the selector is about an undone hunk, which goes by id.
func (d *draft) picksMark(m *mark, id string) bool {
	s := d.sel
	return !s.empty() && (s.Turn == "" || m.turnMatches(s.Turn)) && (d.narrow(m) || slices.Contains(s.Hunks, id))
}

// unfit says why an undone hunk cannot come back.
func (d *draft) unfit(m *mark) string {
	f := d.f
	switch o := m.file; {
	case m.stale:
		return touchedReason
	case o != nil && o.kind == KindDelete:
		if f.op != nil || m.h.start != 0 || m.h.end != f.Lines() {
			return touchedReason
		}
		return ""
	case o != nil && o.kind == KindEdit:
		if f.op != nil || !f.exists {
			return touchedReason
		}
		return ""
	case o != nil && o.kind == KindMove:
		if f.op != nil || f.path != o.from {
			return touchedReason
		}
		return ""
	case f.glues(m.h.start, m.h.end, m.text):
		return glueReason
	case m.part:
		i := f.hunk(m.h.id)
		if i < 0 || f.hunks[i].old != m.h.old || f.hunks[i].start != m.h.start || f.hunks[i].end != m.h.end {
			return touchedReason
		}
	case !f.free(m.h.start, m.h.end):
		return laterReason
	}
	return ""
}
