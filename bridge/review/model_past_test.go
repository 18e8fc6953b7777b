package review

import (
	"slices"
	"strings"
)

// moment is a text with what the user had accepted of it.
type moment struct{ cur, base []string }

// known is how many texts the model goes back to: fewer than the book, which also remembers those in the middle of a step.
const known = maxPasts / 4

// leave remembers the text before a step in which hunks went.
func (w *world) leave(was moment, hs []Hunk) {
	now := w.hunks()
	if !slices.ContainsFunc(hs, func(h Hunk) bool {
		return !slices.ContainsFunc(now, func(x Hunk) bool { return x.ID == h.ID })
	}) {
		return
	}
	w.past = slices.DeleteFunc(w.past, func(m moment) bool { return text(m.cur) == text(was.cur) })
	w.past = append(w.past, was)
	if len(w.past) > known {
		w.past = w.past[1:]
	}
}

// goBack: an editor's undo or redo, or a buffer that is there again, brings a text of before.
func (w *world) goBack() {
	if len(w.past) == 0 {
		return
	}
	m := w.past[w.r.IntN(len(w.past))]
	if text(m.cur) == text(w.cur) {
		return
	}
	w.say("a text of before is back: %q", m.cur)
	w.b.TextChanged(modelPath, text(m.cur))
	w.arrived(m)
}

// byChance: what the user has made of the text is one of before, as an empty one may be. Then what was pending in it is.
func (w *world) byChance() bool {
	f := w.b.st.files[modelPath]
	if f == nil || !w.b.comesBack(f, text(w.cur)) {
		return false
	}
	w.say("which is a text of before")
	w.b.TextChanged(modelPath, text(w.cur))
	w.base = slices.Collect(strings.Lines(w.basis()))
	return true
}

// save: the text is that of the file.
func (w *world) save() {
	w.say("saved")
	w.b.Saved(modelPath)
	w.saved, w.disk = text(w.cur), nil
	if w.b.st.files[modelPath] != nil {
		w.disk = &moment{slices.Clone(w.cur), slices.Clone(w.base)}
	}
}

// closeUnsaved: the buffer is closed, and the text is the one that was saved.
func (w *world) closeUnsaved() {
	if w.disk == nil || !w.b.Tracks(modelPath) || w.saved == text(w.cur) {
		return
	}
	w.say("closed without saving: %q", w.disk.cur)
	w.b.Reconcile(modelPath, text(w.disk.cur), true)
	w.arrived(*w.disk)
}

// arrived checks that what was pending in a text of before is pending again, but for what was kept since.
func (w *world) arrived(m moment) {
	w.cur = slices.Clone(m.cur)
	base := slices.Collect(strings.Lines(w.basis()))
	for _, l := range base {
		if !slices.Contains(m.base, l) && !w.took[l] {
			w.fatal("%q was accepted by nobody; the base was\n%q\nand is\n%q", l, m.base, base)
		}
	}
	for _, l := range m.base {
		if !slices.Contains(base, l) && !w.left[l] {
			w.fatal("that %q went was accepted by nobody; the base was\n%q\nand is\n%q", l, m.base, base)
		}
	}
	w.base = base
}
