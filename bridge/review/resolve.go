package review

import (
	"maps"
	"slices"
)

// Selector picks what Keep, PlanUndo and PlanRedo are about: all that its set
// fields agree on, nothing if none is set.
type Selector struct {
	Hunks               []string
	Path, Turn, Session string
	All                 bool

	Lines *Lines // of Path: hunks, or the parts of them, within these; what else is set does not count

	// Kept makes PlanUndo also take back what was kept already, as long as nobody
	// changed it since: how a whole turn is undone. It needs Turn.
	Kept bool
}

func (s Selector) empty() bool {
	return s.Hunks == nil && s.Path == "" && s.Turn == "" && s.Session == "" && !s.All
}

// picks says that the selector is about a hunk.
func (s Selector) picks(path string, h *hunk) bool {
	return !s.empty() &&
		(s.Hunks == nil || slices.Contains(s.Hunks, h.ID)) &&
		(s.Path == "" || s.Path == path) &&
		(s.Turn == "" || h.has(s.Turn)) &&
		(s.Session == "" || h.session() == s.Session)
}

// picksOp says that the selector is about a change of the file itself.
func (s Selector) picksOp(path string, op *fileOp) bool {
	return op != nil && s.picks(path, new(opHunk(op)))
}

// Conflict says why a hunk was not resolved. ID is that of the selector where it
// gave one, else that of the hunk.
type Conflict struct {
	ID, Path, Reason string
}

const goneReason = "this change is no longer pending: it was kept or undone, or is part of another one now"

// stale gives the conflicts for ids of the selector that nothing is known of.
func (s Selector) stale(found map[string]bool) []Conflict {
	var out []Conflict
	for _, id := range s.Hunks {
		if !found[id] {
			out = append(out, Conflict{ID: id, Path: s.Path, Reason: goneReason})
		}
	}
	return out
}

// paths gives the paths of all files, sorted. The caller holds b.mu.
func (b *Book) paths() []string { return slices.Sorted(maps.Keys(b.st.files)) }

func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }

// Keep accepts pending hunks: the base moves forward. A hunk in which several turns
// have a part is kept as a whole. resolved counts the hunks; conflicts are the ids
// that are not pending.
func (b *Book) Keep(sel Selector) (resolved int, conflicts []Conflict) {
	defer b.changing()()
	sel, conflicts = b.part(sel)
	found := map[string]bool{}
	for _, path := range b.paths() {
		f := b.st.files[path]
		var ids []string
		whole := f.Op != nil && f.Op.Kind != KindMove && slices.Contains(sel.Hunks, f.Op.ID)
		for i := range f.Hunks {
			if h := &f.Hunks[i]; whole || sel.picks(path, h) {
				ids = append(ids, h.ID)
			}
		}
		n := len(ids)
		for _, op := range []*fileOp{f.Op, f.Opaque} {
			if sel.picksOp(path, op) {
				// A create or delete goes with the hunk that shows it, if one does.
				if whole || op.Kind == KindMove || op == f.Opaque || n == 0 && len(f.Hunks) == 0 {
					found[op.ID] = true
					ids = append(ids, op.ID)
				}
			}
		}
		if len(ids) == 0 {
			continue
		}
		for _, id := range ids {
			found[id] = true
		}
		resolved += len(ids)
		if whole && n > 0 {
			resolved-- // the file and its text are one
		}
		b.do(record{Keep: &keepOp{Path: path, IDs: ids}})
	}
	b.journal.SaveNow()
	return resolved, append(conflicts, sel.stale(found)...)
}
