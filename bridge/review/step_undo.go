package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
)

// without gives the text and the layers of a hunk whose text is now, with the
// part of a turn merged out of it.
func (h *hunk) without(turn, now string) (text string, layers []layer, ok bool) {
	layers = slices.Clone(h.layers)
	for i := len(layers) - 1; i >= 0; i-- {
		if layers[i].turn != turn {
			continue
		}
		was, is := layers[i].before, h.written(now)
		if i+1 < len(layers) {
			is = layers[i+1].before
		}
		var conflicts []diff.Conflict
		if now, conflicts = diff.Merge3(is, was, now); len(conflicts) > 0 {
			return "", nil, false
		}
		// The turns after it never saw its part now.
		for k := i + 1; k < len(layers); k++ {
			if m, c := diff.Merge3(is, was, layers[k].before); len(c) == 0 {
				layers[k].before = m
			} else {
				layers[k].before = was
			}
		}
		layers = slices.Delete(layers, i, i+1)
	}
	if len(layers) > 0 {
		layers[0].before = h.old
	}
	return now, layers, true
}

// swap is one place in the text that an undo or redo changes, and what is to be known of it after.
type swap struct {
	edit
	after func(start, end int) // where it stands then
}

// swapAll applies swaps in the order of their places.
func (st *state) swapAll(f *file, ss []swap) outcome {
	slices.SortStableFunc(ss, func(a, b swap) int { return a.Compare(b.Block) })
	es := make([]edit, len(ss))
	for i, s := range ss {
		es[i] = s.edit
	}
	out := f.apply(es, origin{}, "", st.newID)
	shift := 0
	for _, s := range ss {
		start := s.Start + shift
		shift += s.Delta()
		if s.after != nil {
			s.after(start, s.End+shift)
		}
	}
	st.shown[f.path] = true
	return out
}

// undo takes hunks, parts of hunks, kept hunks and what happened to the file back.
func (st *state) undo(f *file, op *undoOp) error {
	was, text := f.leave(), f.Text
	var ss []swap
	var keptOps []*fileOp
	var drop []int
	group := st.group()
	for _, it := range op.Items {
		if it.Back || it.Kept {
			at := f.at(it.ID, it.mark())
			if at == nil {
				return fmt.Errorf("undo of %s, which was not %s", it.ID, it.mark())
			}
			m := *at
			drop = append(drop, f.mark(it.ID, it.mark()))
			if it.Back {
				s, err := st.redoHunk(f, m)
				if err != nil {
					return err
				}
				s.after = func(int, int) { st.noteBack(f, &m) }
				ss = append(ss, s)
				continue
			}
			if m.file != nil {
				keptOps = append(keptOps, m.file)
			}
			if m.h.start == m.h.end && m.h.old == "" {
				continue // nothing but the file
			}
			text := strings.Clone(f.Slice(m.h.start, m.h.end))
			ss = append(ss, swap{edit{m.h.block(m.h.old), -1, nil}, func(start, end int) {
				m.kind, m.group, m.text, m.file, m.h.start, m.h.end = undone, group, text, nil, start, end
				f.addMark(m)
				st.note(f, &m.h, text)
			}})
			continue
		}
		i := f.hunk(it.ID)
		if i < 0 {
			if f.op != nil && f.op.id == it.ID {
				continue // nothing but the file
			}
			return fmt.Errorf("undo of %s, which is not pending", it.ID)
		}
		ss = append(ss, st.undoHunk(f, i, it, group))
	}
	slices.Sort(drop)
	for _, i := range slices.Backward(drop) {
		f.marks = slices.Delete(f.marks, i, i+1)
	}
	if f.op != nil && f.op.kind == KindDelete && op.File {
		f.exists = true
	}
	out := st.swapAll(f, ss)
	for _, l := range out.lost {
		f.addMark(mark{kind: undone, h: l.h, text: l.text, group: group})
		st.note(f, &l.h, l.text)
	}
	if op.File {
		for _, o := range keptOps {
			st.undoFile(f, o, group)
		}
		if o := f.op; o != nil {
			f.op = nil
			st.undoFile(f, o, group)
		}
	}
	if f.op != nil && f.op.kind == KindCreate && len(f.hunks) == 0 && f.Text != "" {
		f.based, f.op = true, nil // what is left is the user's
	}
	f.left(was, text)
	return nil
}

// undoHunk gives what puts one pending hunk back, or the part of a turn in it.
func (st *state) undoHunk(f *file, i int, it undoItem, group uint64) swap {
	h := f.hunks[i]
	text := strings.Clone(f.Slice(h.start, h.end))
	s := swap{edit: edit{h.block(h.old), i, nil}}
	if it.Turn == "" {
		return s
	}
	s.Text = it.Text
	_, layers, ok := h.without(it.Turn, text)
	s.after = func(start, end int) {
		j := f.hunk(h.id)
		if j < 0 {
			return // nothing was left of it
		}
		if n := &f.hunks[j]; ok && n.old == h.old && len(layers) > 0 {
			n.layers, n.touched, n.after = layers, false, ""
		}
		if f.op == nil || f.op.kind != KindDelete { // that has a mark of its own
			m := mark{kind: undone, h: h, text: text, group: group, part: true, undoneTurn: it.Turn}
			m.h.start, m.h.end = start, end
			f.addMark(m)
		}
		st.note(f, &h, text)
	}
	return s
}

// undoFile takes back what happened to the file itself, its text being right already.
func (st *state) undoFile(f *file, op *fileOp, group uint64) {
	i := len(f.marks) - 1
	if i < 0 || f.marks[i].group != group || f.marks[i].part || op.kind == KindMove || op.kind == KindEdit {
		m := mark{kind: undone, h: opHunk(op), group: group}
		m.h.end = f.Lines()
		if op.kind == KindDelete && len(f.hunks) > 0 {
			m.h.id = f.hunks[0].id
		}
		f.addMark(m)
		i = len(f.marks) - 1
		st.note(f, &m.h, "")
		st.notes[len(st.notes)-1].Kind = op.kind
	}
	o := *op
	f.marks[i].file = &o
	switch o.kind {
	case KindCreate:
		f.exists, f.based = false, false
	case KindDelete:
		f.exists, f.based = true, true
		f.split(st.newID)
	case KindMove:
		o.to, f.from = f.path, ""
		st.rekey(f, o.from)
	}
}
