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
		if i < 0 || f.marks[i].stale {
			return fmt.Errorf("redo of %s, which was not undone", id)
		}
		taken = append(taken, f.marks[i])
		f.marks = slices.Delete(f.marks, i, i+1)
		st.unnote(id)
	}
	if !f.exists {
		// Text can only come back to a file; whichever mark holds its creation gives it up.
		for _, ms := range [][]mark{taken, f.marks} {
			for i := range ms {
				if o := ms[i].file; !f.exists && o != nil && o.kind == KindCreate {
					f.exists, f.op, ms[i].file = true, o, nil
				}
			}
		}
		if !f.exists {
			return fmt.Errorf("redo in %s, which is not there", f.path)
		}
	}
	var ss []swap
	for _, m := range taken {
		if o := m.file; o != nil && o.kind != KindCreate {
			continue
		}
		if m.h.start == m.h.end && m.text == "" {
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
		o := m.file
		switch {
		case o == nil:
		case o.kind == KindDelete:
			st.nextChange++
			fl := &flight{c: Change{Kind: KindDelete, Session: o.session, Turn: o.turn}}
			st.landDelete(f, fl, origin{agent: true, session: o.session, turn: o.turn, change: st.nextChange})
			if f.op != nil {
				f.op.id = o.id
			}
			if len(f.hunks) == 1 {
				f.hunks[0].id = m.h.id
			}
		case o.kind == KindEdit:
			f.op = o
		case o.kind == KindMove:
			f.from, f.op = f.path, o
			st.rekey(f, o.to)
		}
	}
	st.shown[f.path] = true
	return nil
}

// redoHunk gives what brings one undone hunk back, or the part of a turn in it.
func (st *state) redoHunk(f *file, m mark) (swap, error) {
	b := m.h.block(m.text)
	if !m.part {
		if !f.free(m.h.start, m.h.end) {
			return swap{}, fmt.Errorf("redo of %s, where another change is pending now", m.h.id)
		}
		h := m.h
		h.group = st.nextChange
		return swap{edit: edit{b, -1, &h}}, nil
	}
	i := f.hunk(m.h.id)
	if i < 0 || b.Start > f.hunks[i].start || b.End < f.hunks[i].end {
		return swap{}, fmt.Errorf("redo of a part of %s, which is not pending", m.h.id)
	}
	return swap{edit{b, i, nil}, func(_, _ int) {
		if j := f.hunk(m.h.id); j >= 0 && f.hunks[j].old == m.h.old {
			n := &f.hunks[j]
			n.layers, n.touched, n.after = m.h.layers, m.h.touched, m.h.after
		}
	}}, nil
}
