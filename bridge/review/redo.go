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
	op := &redoOp{Path: f.Path}
	d.u = UndoFile{Path: f.Path, Action: ActionWrite, Current: f.Text, Mode: f.Mode, BOM: f.BOM}
	if !f.Exists {
		d.u.Action = ActionRestore
		for i := range f.Marks {
			if o := f.Marks[i].File; o != nil && o.Kind == KindCreate {
				d.u.Dirs = o.Dirs
			}
		}
	}
	last := -1 // what happened to the file itself can come back once
	for i := range f.Marks {
		if m := &f.Marks[i]; m.Kind == undone && m.File != nil {
			last = i
		}
	}
	for i := range f.Marks {
		m := &f.Marks[i]
		id := m.Hunk.ID
		if m.File != nil && slices.Contains(d.sel.Hunks, m.File.ID) {
			id = m.File.ID
		}
		if m.Kind != undone || f.mark(id, undone) != i || !d.picksMark(m, id) {
			continue
		}
		if why == "" {
			why = d.unfit(m)
		}
		if why == "" && m.File != nil && i != last {
			why = laterReason
		}
		if why == "" && d.clash(m.Hunk.block(m.Text)) {
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
		switch o := m.File; {
		case o != nil && o.Kind == KindDelete:
			d.u.Action = ActionRemove
		case o != nil && o.Kind == KindMove:
			d.u.Action, d.u.To = ActionMove, o.To
		case o != nil && o.Kind == KindEdit:
			d.u.Marked, d.u.BOM = true, !f.BOM
		default:
			d.ks = append(d.ks, m.Hunk.block(m.Text))
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
	switch o := m.File; {
	case m.Stale:
		return touchedReason
	case o != nil && o.Kind == KindDelete:
		if f.Op != nil || m.Hunk.Start != 0 || m.Hunk.End != f.Lines() {
			return touchedReason
		}
		return ""
	case o != nil && o.Kind == KindEdit:
		if f.Op != nil || !f.Exists {
			return touchedReason
		}
		return ""
	case o != nil && o.Kind == KindMove:
		if f.Op != nil || f.Path != o.From {
			return touchedReason
		}
		return ""
	case f.glues(m.Hunk.Start, m.Hunk.End, m.Text):
		return glueReason
	case m.Part:
		i := f.hunk(m.Hunk.ID)
		if i < 0 || f.Hunks[i].Old != m.Hunk.Old || f.Hunks[i].Start != m.Hunk.Start || f.Hunks[i].End != m.Hunk.End {
			return touchedReason
		}
	case !f.free(m.Hunk.Start, m.Hunk.End):
		return laterReason
	}
	return ""
}
