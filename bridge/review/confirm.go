package review

import "github.com/copilot-bridge/copilot-bridge/bridge/review/lines"

// Done says that a plan was carried out, and what the text is now ("" for a file
// that was removed). resolved counts the hunks that were undone, or are back;
// conflicts are those of which the text does not show it.
func (b *Book) Done(u UndoFile, actual string) (resolved int, conflicts []Conflict) {
	b.mu.Lock()
	defer b.deliver()
	defer b.mu.Unlock()
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
		case !ok && (u.Action == ActionWrite || u.Action == ActionRestore) && actual == u.Target:
			// Somebody saw it before us: the file that is there again. Or an editor that tells of the edits one by one: each looked like an undo of the user's own.
			b.follow(u, actual)
			b.journal.SaveNow()
			return len(u.Hunks), nil
		case !ok:
			b.follow(u, actual)
			return failed(touchedReason)
		case u.Action == ActionWrite && !lines.Shows(actual, m, f.Text):
			b.follow(u, actual)
			return failed("the text did not take the change; nothing was undone")
		}
		b.do(p.r)
	}
	b.follow(u, actual)
	b.journal.SaveNow()
	return len(u.Hunks), nil
}

// follow notes what else is in a text after a plan.
func (b *Book) follow(u UndoFile, actual string) {
	if f := b.st.files[u.end()]; f != nil && f.exists && !f.blind && u.Action != ActionRemove {
		b.userText(f, actual)
	}
}
