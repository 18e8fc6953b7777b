package review

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// Action says how a plan is carried out.
type Action string

const (
	// ActionWrite brings the text of Path from Current to Target: an edit of the
	// buffer where it is open, else of the disk.
	ActionWrite Action = "write"
	// ActionRestore writes Path, which does not exist, with the text Target and Mode and BOM.
	ActionRestore Action = "restore"
	// ActionRemove deletes Path, whose text is Current, and then the folders in
	// Dirs, last one first, as far as they are empty.
	ActionRemove Action = "remove"
	// ActionMove renames Path to To and then brings its text from Current to Target.
	ActionMove Action = "move"
)

// UndoFile is what has to be done to one file. The caller does it, possibly
// merged with what the user typed meanwhile, and then says by Done
// what the text is now; if nothing could be done it says so by Drop.
type UndoFile struct {
	Path            string
	Action          Action
	To              string // move
	Current, Target string
	Disk            *string  // write: what the disk has to hold where Target is saved, to the byte; nil for whatever the editor saves
	Marked          bool     // write, move: the byte order mark is to be as BOM says, whatever a command made of it
	Remode          bool     // with Marked: the mode is to be Mode too, for the agent's doing is undone
	Hunks           []string // the ids that this resolves
	Mode            fs.FileMode
	BOM             bool
	Dirs            []string

	n uint64 // of the plan
}

// end is where the file is when the plan is carried out.
func (u *UndoFile) end() string {
	if u.Action == ActionMove {
		return u.To
	}
	return u.Path
}

// plan is an UndoFile on its way.
type plan struct {
	n      uint64
	r      record // what makes it true: Undo or Redo
	landed bool   // the text shows it
}

const (
	busyReason    = "the agent is changing this file just now; try again when it is done"
	missingReason = "the file is gone; undo all that is pending in it to have it back, or keep the change to be done with it"
	laterReason   = "another turn changed the same lines later; undo that one first"
	touchedReason = "the lines were changed since"
	glueReason    = "the text has changed around it so that its last line would run into the next one"
)

// PlanUndo says how to undo pending hunks (and, with Selector.Kept, kept ones of a
// turn): one entry a file, deletions first, in the order in which they are to be
// carried out. Conflicts are hunks that cannot be undone, with the reason; nothing
// is planned for those.
func (b *Book) PlanUndo(sel Selector) ([]UndoFile, []Conflict) {
	out, all := b.plan(sel, false, func(d *draft) (record, bool) {
		d.undo()
		d.op.Path = d.f.Path
		return record{Undo: &d.op}, len(d.op.Items) > 0 || d.op.File
	})
	if sel.Turn != "" && len(out) == 0 && len(all) == 0 {
		all = append(all, Conflict{sel.Turn, sel.Path, fmt.Sprintf("nothing of this turn is left to undo: all of it was resolved, or it is too long ago (the journal remembers %d turns and %d MB of files with nothing pending)", MaxTurns, MaxIdle>>20)})
	}
	return out, all
}

// plan drafts a plan for each file; of says what makes it true, if there is anything to do. Plans are remembered, so that a
// text that shows one is known for it.
func (b *Book) plan(sel Selector, redo bool, of func(*draft) (record, bool)) ([]UndoFile, []Conflict) {
	defer b.changing()()
	sel, all := b.part(sel)
	var out []UndoFile
	found := map[string]bool{}
	for _, path := range b.paths() {
		d := &draft{b: b, f: b.st.files[path], sel: sel, found: found}
		r, any := of(d)
		all = append(all, d.conflicts...)
		if any {
			b.lastPlan++
			d.u.n = b.lastPlan
			b.plans[path] = &plan{n: d.u.n, r: r}
			out = append(out, d.u)
		}
	}
	out, blocked := b.order(out, redo)
	return out, append(append(all, blocked...), sel.stale(found)...)
}

// order puts deletions first, then moves, and takes out what would come where
// another file is, or something is pending (as a deletion is, once redone).
func (b *Book) order(us []UndoFile, redo bool) ([]UndoFile, []Conflict) {
	rank := map[Action]int{ActionRemove: 0, ActionMove: 1, ActionWrite: 2, ActionRestore: 3}
	slices.SortStableFunc(us, func(x, y UndoFile) int { return cmp.Compare(rank[x.Action], rank[y.Action]) })
	left, taken := map[string]bool{}, map[string]bool{} // by what is planned so far
	blocked := func(u *UndoFile) string {
		to := u.end()
		f := b.st.files[to]
		switch inTheWay := to + " is in the way; undo or move it first"; {
		case taken[to]:
			return inTheWay
		case u.Action != ActionMove || f == nil || left[to]:
		case f.Exists && !f.Missing:
			return inTheWay
		case f.pending():
			return "what became of " + to + " is not decided; keep or undo that first"
		}
		return ""
	}
	var out []UndoFile
	var conflicts []Conflict
	for _, u := range us {
		if why := blocked(&u); why != "" {
			for _, id := range u.Hunks {
				conflicts = append(conflicts, Conflict{id, u.Path, why})
			}
			delete(b.plans, u.Path)
			continue
		}
		left[u.Path] = u.Action == ActionMove || u.Action == ActionRemove && !redo
		taken[u.end()] = u.Action == ActionMove || u.Action == ActionRestore
		out = append(out, u)
	}
	return out, conflicts
}

// Drop says that a plan was not carried out.
func (b *Book) Drop(u UndoFile) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p := b.plans[u.Path]; p != nil && p.n == u.n {
		delete(b.plans, u.Path)
	}
}

// carry looks whether a new text of f shows a plan.
func (b *Book) carry(f *file, text string) {
	p := b.plans[f.Path]
	if p == nil || p.landed || text == f.Text || !f.Exists || p.r.Undo != nil && p.r.Undo.File {
		return
	}
	if m, ok := f.planText(p.r); ok && lines.Shows(text, m, f.Text) {
		p.landed = true
		b.do(p.r)
	}
}

// planText gives the text of f with a plan carried out, false if it no longer fits.
func (f *file) planText(r record) (string, bool) {
	var ks []lines.Block
	if r.Undo != nil {
		for _, it := range r.Undo.Items {
			if it.Back || it.Kept {
				m := f.at(it.ID, it.mark())
				if m == nil || !f.free(m.Hunk.Start, m.Hunk.End) {
					return "", false
				}
				ks = append(ks, m.Hunk.block(m.old()))
				continue
			}
			i := f.hunk(it.ID)
			if i < 0 && f.Op != nil && f.Op.ID == it.ID {
				continue
			}
			if i < 0 {
				return "", false
			}
			k := f.Hunks[i].block(f.Hunks[i].Old)
			if it.Turn != "" {
				text, _, ok := f.Hunks[i].without(it.Turn, f.Slice(k.Start, k.End))
				if !ok || text != it.Text {
					return "", false
				}
				k.Text = it.Text
			}
			ks = append(ks, k)
		}
	} else {
		for _, id := range r.Redo.IDs {
			m := f.at(id, undone)
			if m == nil || !m.Part && m.File == nil && !f.free(m.Hunk.Start, m.Hunk.End) {
				return "", false
			}
			if m.File != nil && m.File.Kind != KindCreate {
				continue
			}
			ks = append(ks, m.Hunk.block(m.Text))
		}
	}
	lines.InOrder(ks)
	if f.Fits(ks) != nil {
		return "", false
	}
	return f.Weave(0, f.Lines(), ks), true
}
