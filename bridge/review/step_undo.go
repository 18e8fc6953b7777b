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
	layers = slices.Clone(h.Layers)
	for i := len(layers) - 1; i >= 0; i-- {
		if layers[i].Turn != turn {
			continue
		}
		was, is := layers[i].Before, h.written(now)
		if i+1 < len(layers) {
			is = layers[i+1].Before
		}
		var conflicts []diff.Conflict
		if now, conflicts = diff.Merge3(is, was, now); len(conflicts) > 0 {
			return "", nil, false
		}
		// The turns after it never saw its part now.
		for k := i + 1; k < len(layers); k++ {
			if m, c := diff.Merge3(is, was, layers[k].Before); len(c) == 0 {
				layers[k].Before = m
			} else {
				layers[k].Before = was
			}
		}
		layers = slices.Delete(layers, i, i+1)
	}
	if len(layers) > 0 {
		layers[0].Before = h.Old
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
	st.shown[f.Path] = true
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
			if m.File != nil {
				keptOps = append(keptOps, m.File)
			}
			if m.Hunk.Start == m.Hunk.End && m.Hunk.Old == "" {
				continue // nothing but the file
			}
			text := strings.Clone(f.Slice(m.Hunk.Start, m.Hunk.End))
			ss = append(ss, swap{edit{m.Hunk.block(m.Hunk.Old), -1, nil}, func(start, end int) {
				m.Kind, m.Group, m.Text, m.File, m.Hunk.Start, m.Hunk.End = undone, group, text, nil, start, end
				f.addMark(m)
				st.note(f, &m.Hunk, text)
			}})
			continue
		}
		i := f.hunk(it.ID)
		if i < 0 {
			if f.Op != nil && f.Op.ID == it.ID {
				continue // nothing but the file
			}
			return fmt.Errorf("undo of %s, which is not pending", it.ID)
		}
		ss = append(ss, st.undoHunk(f, i, it, group))
	}
	slices.Sort(drop)
	for _, i := range slices.Backward(drop) {
		f.Marks = slices.Delete(f.Marks, i, i+1)
	}
	if f.Op != nil && f.Op.Kind == KindDelete && op.File {
		f.Exists = true
	}
	out := st.swapAll(f, ss)
	for _, l := range out.lost {
		f.addMark(mark{Kind: undone, Hunk: l.h, Text: l.text, Group: group})
		st.note(f, &l.h, l.text)
	}
	if op.File {
		for _, o := range keptOps {
			st.undoFile(f, o, group)
		}
		if o := f.Op; o != nil {
			f.Op = nil
			st.undoFile(f, o, group)
		}
	}
	if f.Op != nil && f.Op.Kind == KindCreate && len(f.Hunks) == 0 && f.Text != "" {
		f.Based, f.Op = true, nil // what is left is the user's
	}
	f.left(was, text)
	return nil
}

// undoHunk gives what puts one pending hunk back, or the part of a turn in it.
func (st *state) undoHunk(f *file, i int, it undoItem, group uint64) swap {
	h := f.Hunks[i]
	text := strings.Clone(f.Slice(h.Start, h.End))
	s := swap{edit: edit{h.block(h.Old), i, nil}}
	if it.Turn == "" {
		return s
	}
	s.Text = it.Text
	_, layers, ok := h.without(it.Turn, text)
	s.after = func(start, end int) {
		j := f.hunk(h.ID)
		if j < 0 {
			return // nothing was left of it
		}
		if n := &f.Hunks[j]; ok && n.Old == h.Old && len(layers) > 0 {
			n.Layers, n.Touched, n.After = layers, false, ""
		}
		if f.Op == nil || f.Op.Kind != KindDelete { // that has a mark of its own
			m := mark{Kind: undone, Hunk: h, Text: text, Group: group, Part: true, UndoneTurn: it.Turn}
			m.Hunk.Start, m.Hunk.End = start, end
			f.addMark(m)
		}
		st.note(f, &h, text)
	}
	return s
}

// undoFile takes back what happened to the file itself, its text being right already.
func (st *state) undoFile(f *file, op *fileOp, group uint64) {
	i := len(f.Marks) - 1
	if i < 0 || f.Marks[i].Group != group || f.Marks[i].Part || op.Kind == KindMove || op.Kind == KindEdit {
		m := mark{Kind: undone, Hunk: opHunk(op), Group: group}
		m.Hunk.End = f.Lines()
		if op.Kind == KindDelete && len(f.Hunks) > 0 {
			m.Hunk.ID = f.Hunks[0].ID
		}
		f.addMark(m)
		i = len(f.Marks) - 1
		st.note(f, &m.Hunk, "")
		st.Notes[len(st.Notes)-1].Kind = op.Kind
	}
	o := *op
	f.Marks[i].File = &o
	switch o.Kind {
	case KindCreate:
		f.Exists, f.Based = false, false
	case KindDelete:
		f.Exists, f.Based = true, true
		f.split(st.newID)
	case KindMove:
		o.To, f.From = f.Path, ""
		st.rekey(f, o.From)
	}
}
