package review

import (
	"cmp"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// stack takes over the file at path from another bridge's state although ours knows it too. What the one bridge saw of the
// other's changes were changes of the text like any others: so one of the two is taken as it is, and the changes of the other
// are made in it anew, in their order and with their turns. Where that cannot be told it returns false, and nothing has
// changed: they are two stories of one file.
func (st *state) stack(other *state, path string) bool {
	mine, theirs := st.files[path], other.files[path]
	if slices.ContainsFunc(theirs.Hunks, func(h hunk) bool { return mine.hunk(h.ID) >= 0 }) {
		return true // it is here already
	}
	for _, s := range []*state{st, other} {
		if !s.files[path].plain() || len(s.flightsOf(path)) > 0 {
			return false
		}
	}
	// The earlier one comes first. Whose it is shows in the text: the other one has begun with it.
	on := st.stacked(other, theirs, mine)
	if on == nil {
		on = st.stacked(other, mine, theirs)
	}
	if on == nil {
		return false
	}
	if !mine.unsettled {
		on.textChanged(on.st.files[path], mine.Text) // which is the one that is there
	}
	f := on.st.files[path]
	if f == nil {
		return false
	}
	f.unsettled = true
	st.files[path] = f
	st.NextHunk, st.NextChange, st.NextGroup = on.st.NextHunk, on.st.NextChange, on.st.NextGroup
	return true
}

// plain says that nothing but the text of the file has changed.
func (f *file) plain() bool {
	return f.Op == nil && f.Opaque == nil && f.From == "" && f.Exists && f.Based && !f.Blind
}

// stacked gives a book in memory with only one file, first with the changes of second made in it; nil if second has not begun
// with first: a hunk of first was not there as it is, for whatever reason.
func (st *state) stacked(other *state, first, second *file) *Book {
	path := first.Path
	b := newBook(Config{})
	b.st.prefix, b.st.NextHunk = st.prefix, st.NextHunk
	b.st.NextChange, b.st.NextGroup = max(st.NextChange, other.NextChange), max(st.NextGroup, other.NextGroup)
	b.st.files[path] = first.clone()
	b.textChanged(b.st.files[path], second.base())
	f := b.st.files[path]
	for i := range first.Hunks {
		was := &first.Hunks[i]
		if f == nil || f.hunk(was.ID) < 0 {
			return nil
		}
		if is := f.Hunks[f.hunk(was.ID)]; f.Slice(is.Start, is.End) != first.Slice(was.Start, was.End) {
			return nil
		}
	}
	if f == nil {
		return nil
	}
	for _, v := range second.versions() {
		c := Change{
			Session: v.session, Turn: v.turn, Path: path, Kind: KindEdit,
			Before: b.st.files[path].Text, After: v.text, BeforeExists: true, Mode: second.Mode, BOM: second.BOM,
		}
		if b.Record([]Change{c}) != nil || b.st.files[path] == nil {
			return nil
		}
	}
	b.textChanged(b.st.files[path], second.Text)
	if f = b.st.files[path]; f == nil || f.Text != second.Text {
		return nil
	}
	f.takeMarks(second, b.st.NextGroup)
	b.st.NextGroup *= 2 // those of second come after those of first
	return b
}

// version is the text of a file after a change of the agent.
type version struct {
	session, turn string
	text          string
}

// versions gives the texts that led from the base to the pending hunks, oldest first.
func (f *file) versions() []version {
	var all []layer
	for i := range f.Hunks {
		all = append(all, f.Hunks[i].Layers...)
	}
	slices.SortStableFunc(all, func(x, y layer) int { return cmp.Compare(x.Change, y.Change) })
	all = slices.CompactFunc(all, func(x, y layer) bool { return x.Change == y.Change })
	vs := make([]version, len(all))
	for i, l := range all {
		ks := make([]lines.Block, len(f.Hunks))
		for n := range f.Hunks {
			h := &f.Hunks[n]
			text := h.written(f.Slice(h.Start, h.End))
			if i+1 < len(all) {
				text = h.at(all[i+1].Change, text)
			}
			ks[n] = h.block(text)
		}
		vs[i] = version{l.Session, l.Turn, f.Weave(0, f.Lines(), ks)}
	}
	return vs
}

// takeMarks adds what was kept and undone in another story of the same text, as far as it still stands by itself.
func (f *file) takeMarks(from *file, groups uint64) {
	for _, m := range from.Marks {
		if m.Stale || m.Part || m.Kind == reverted || m.File != nil || !f.free(m.Hunk.Start, m.Hunk.End) || len(f.Marks) >= MaxMarks {
			continue
		}
		m.Group += groups
		m.Fresh = false
		f.Marks = append(f.Marks, m)
	}
	type ranked struct {
		start int
		rank  *int
	}
	var all []ranked
	for i := range f.Marks {
		all = append(all, ranked{f.Marks[i].Hunk.Start, &f.Marks[i].Hunk.Rank})
	}
	for i := range f.Hunks {
		all = append(all, ranked{f.Hunks[i].Start, &f.Hunks[i].Rank})
	}
	slices.SortStableFunc(all, func(x, y ranked) int { return cmp.Or(cmp.Compare(x.start, y.start), cmp.Compare(*x.rank, *y.rank)) })
	for i, p := range all {
		*p.rank = i + 1
	}
}
