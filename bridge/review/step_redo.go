package review

import (
	"fmt"
	"slices"
)

// redo brings undone hunks back, and what had happened to the file.
func (st *state) redo(f *file, ids []string) error {
	var taken []mark
	for _, id := range ids {
		i := f.mark(id, undone)
		if i < 0 || f.Marks[i].Stale {
			return fmt.Errorf("redo of %s, which was not undone", id)
		}
		taken = append(taken, f.Marks[i])
		f.Marks = slices.Delete(f.Marks, i, i+1)
		st.unnote(id)
	}
	if !f.Exists {
		// Text can only come back to a file; whichever mark holds its creation gives it up.
		for _, ms := range [][]mark{taken, f.Marks} {
			for i := range ms {
				if o := ms[i].File; !f.Exists && o != nil && o.Kind == KindCreate {
					f.Exists, f.Op, ms[i].File = true, o, nil
				}
			}
		}
		if !f.Exists {
			return fmt.Errorf("redo in %s, which is not there", f.Path)
		}
	}
	var ss []swap
	for _, m := range taken {
		if o := m.File; o != nil && o.Kind != KindCreate {
			continue
		}
		if m.Hunk.Start == m.Hunk.End && m.Text == "" {
			continue // an empty file that is there again
		}
		s, err := st.redoHunk(f, m)
		if err != nil {
			return err
		}
		ss = append(ss, s)
	}
	st.swapAll(f, ss)
	for _, m := range taken {
		o := m.File
		switch {
		case o == nil:
		case o.Kind == KindDelete:
			st.NextChange++
			fl := &flight{c: Change{Kind: KindDelete, Session: o.Session, Turn: o.Turn}}
			st.landDelete(f, fl, origin{agent: true, session: o.Session, turn: o.Turn, change: st.NextChange})
			if f.Op != nil {
				f.Op.ID = o.ID
			}
			if len(f.Hunks) == 1 {
				f.Hunks[0].ID = m.Hunk.ID
			}
		case o.Kind == KindEdit:
			f.Op = o
		case o.Kind == KindMove:
			f.From, f.Op = f.Path, o
			st.rekey(f, o.To)
		}
	}
	st.shown[f.Path] = true
	return nil
}

// redoHunk gives what brings one undone hunk back, or the part of a turn in it.
func (st *state) redoHunk(f *file, m mark) (swap, error) {
	b := m.Hunk.block(m.Text)
	if !m.Part {
		if !f.free(m.Hunk.Start, m.Hunk.End) {
			return swap{}, fmt.Errorf("redo of %s, where another change is pending now", m.Hunk.ID)
		}
		h := m.Hunk
		h.Group = st.NextChange
		return swap{edit: edit{b, -1, &h}}, nil
	}
	i := f.hunk(m.Hunk.ID)
	if i < 0 || b.Start > f.Hunks[i].Start || b.End < f.Hunks[i].End {
		return swap{}, fmt.Errorf("redo of a part of %s, which is not pending", m.Hunk.ID)
	}
	return swap{edit{b, i, nil}, func(_, _ int) {
		if j := f.hunk(m.Hunk.ID); j >= 0 && f.Hunks[j].Old == m.Hunk.Old {
			n := &f.Hunks[j]
			n.Layers, n.Touched, n.After = m.Hunk.Layers, m.Hunk.Touched, m.Hunk.After
		}
	}}, nil
}
