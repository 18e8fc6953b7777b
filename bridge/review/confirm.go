package review

import "github.com/copilot-bridge/copilot-bridge/bridge/review/lines"

// Done says that a plan was carried out, and what the text is now ("" for a file
// that was removed). resolved counts the hunks that were undone, or are back;
// conflicts are those of which the text does not show it.
func (b *Book) Done(u UndoFile, actual string) (resolved int, conflicts []Conflict) {
	defer b.changing()()
	failed := func(reason string) (int, []Conflict) {
		for _, id := range u.Hunks {
			conflicts = append(conflicts, Conflict{id, u.Path, reason})
		}
		return 0, conflicts
	}
	p := b.plans[u.Path]
	if p == nil || p.n != u.n {
		return failed(goneReason)
	}
	delete(b.plans, u.Path)
	f := b.st.files[u.Path]
	if !p.landed {
		if f == nil {
			return failed(goneReason)
		}
		m, ok := f.planText(p.r)
		switch {
		case !ok:
			// Somebody saw it before us: the disk was looked at, or an editor tells of the edits one by one. Each looked like an undo of
			// the user's own, also where other lines changed with it.
			b.follow(u, actual)
			b.journal.SaveNow()
			return b.outcomeOf(p, u, actual)
		case u.Action == ActionWrite && !lines.Shows(actual, m, f.Text):
			b.follow(u, actual)
			return failed("the editor did not apply the undo; nothing was undone")
		}
		b.do(p.r)
	}
	b.follow(u, actual)
	b.journal.SaveNow()
	return len(u.Hunks), nil
}

// follow notes what else is in a text after a plan.
func (b *Book) follow(u UndoFile, actual string) {
	if f := b.st.files[u.end()]; f != nil && f.Exists && !f.Blind && u.Action != ActionRemove {
		b.userText(f, actual)
	}
}

// outcomeOf says which hunks of a plan are undone, or back, by what the book knows now.
func (b *Book) outcomeOf(p *plan, u UndoFile, actual string) (resolved int, conflicts []Conflict) {
	f := b.st.files[u.end()]
	for _, id := range u.Hunks {
		if u.Action != ActionRemove && actual == u.Target || f != nil && f.shows(p.r, id) {
			resolved++
		} else {
			conflicts = append(conflicts, Conflict{id, u.Path, touchedReason})
		}
	}
	return resolved, conflicts
}

// shows says that what a plan is to do with a hunk is so in the file.
func (f *file) shows(r record, id string) bool {
	i := f.hunk(id)
	pending := i >= 0 || f.Op != nil && f.Op.ID == id
	if r.Undo == nil {
		return pending
	}
	for _, it := range r.Undo.Items {
		switch {
		case it.ID != id:
		case it.Back:
			return pending
		case i >= 0 && it.Turn != "":
			return !f.Hunks[i].has(it.Turn)
		}
	}
	return !pending && f.mark(id, undone) >= 0
}
