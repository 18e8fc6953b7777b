package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

func (w *world) restart(clean bool) {
	w.say("restart, clean %v", clean)
	if w.r.IntN(4) == 0 {
		w.say("compacted")
		w.b.mu.Lock()
		if err := w.b.journal.Compact(); err != nil {
			w.fatal("%v", err)
		}
		w.b.mu.Unlock()
	}
	d := w.d.crash()
	if clean {
		if err := w.b.Close(); err != nil {
			w.fatal("%v", err)
		}
		d = w.d
	}
	before := w.hunks()
	w.d = d
	var notices *[]string
	w.b, notices = openOn(w.t, d)
	if len(*notices) > 0 {
		w.fatal("%q", *notices)
	}
	if after := w.hunks(); fmt.Sprint(before) != fmt.Sprint(after) {
		w.fatal("hunks before the restart:\n%v\nand after:\n%v", before, after)
	}
}

func (w *world) pick() (Hunk, bool) {
	hs := w.hunks()
	if len(hs) == 0 {
		return Hunk{}, false
	}
	return hs[w.r.IntN(len(hs))], true
}

func (w *world) keep() {
	h, ok := w.pick()
	if !ok {
		return
	}
	w.say("keep %s", h.ID)
	for l := range strings.Lines(h.NewText) {
		w.took[l] = true
	}
	for l := range strings.Lines(h.OldText) {
		w.left[l] = true
	}
	at := baseIndex(w.hunks()[:slices.IndexFunc(w.hunks(), func(x Hunk) bool { return x.ID == h.ID })], h.StartLine)
	w.base = slices.Concat(w.base[:at], slices.Collect(strings.Lines(h.NewText)), w.base[at+lines.Count(h.OldText):])
	if n, cs := w.b.Keep(Selector{Hunks: []string{h.ID}}); n != 1 || len(cs) > 0 {
		w.fatal("kept %d, %v", n, cs)
	}
}

// carryOut does what a plan says, in one of the ways a plan can go.
func (w *world) carryOut(us []UndoFile) {
	for _, u := range us {
		if u.Current != text(w.cur) {
			w.fatal("the plan is for %q, the text is %q", u.Current, text(w.cur))
		}
		way := w.r.IntN(4)
		w.say("%v way %d: %q", u.Hunks, way, u.Target)
		if way == 3 {
			w.b.Drop(u)
			continue
		}
		w.cur = slices.Collect(strings.Lines(u.Target))
		if way == 1 {
			w.b.TextChanged(modelPath, u.Target)
		}
		if n, cs := w.b.Done(u, u.Target); n != len(u.Hunks) || len(cs) > 0 {
			w.fatal("done %d, %v", n, cs)
		}
		if way == 2 {
			w.leave(w.was, w.had) // the user's change is another one
			w.was, w.had = moment{slices.Clone(w.cur), slices.Clone(w.base)}, w.hunks()
			w.userEdit()
			w.b.TextChanged(modelPath, text(w.cur))
		}
	}
}

func (w *world) undo() {
	h, ok := w.pick()
	if !ok {
		return
	}
	sel := Selector{Hunks: []string{h.ID}}
	if w.r.IntN(5) == 0 {
		sel = Selector{Turn: h.Turn}
	}
	us, cs := w.b.PlanUndo(sel)
	if sel.Turn == "" {
		if len(us) != 1 || len(cs) > 0 {
			w.fatal("undo %s: %v %v", h.ID, us, cs)
		}
		if want := text(w.cur[:h.StartLine]) + h.OldText + text(w.cur[h.EndLine:]); us[0].Target != want {
			w.fatal("undo %s: target %q, want %q", h.ID, us[0].Target, want)
		}
	}
	w.carryOut(us)
}

func (w *world) redo() {
	us, _ := w.b.PlanRedo(Selector{Path: modelPath})
	if len(us) == 0 {
		return
	}
	ids := us[0].Hunks
	w.b.Drop(us[0])
	us, cs := w.b.PlanRedo(Selector{Hunks: []string{ids[w.r.IntN(len(ids))]}})
	if len(us) != 1 || len(cs) > 0 {
		w.fatal("redo: %v %v", us, cs)
	}
	w.carryOut(us)
}

// someLines picks lines that a hunk has a part of.
func (w *world) someLines() (sel Selector, ok bool) {
	h, ok := w.pick()
	if !ok || h.StartLine == h.EndLine {
		return sel, false
	}
	start := h.StartLine + w.r.IntN(h.EndLine-h.StartLine)
	end := start + 1 + w.r.IntN(h.EndLine-start)
	return Selector{Path: modelPath, Lines: &Lines{start, end}}, true
}

// based says that lines of a hunk are the base's: others beside them are not.
func (w *world) based(sel Selector) bool {
	return !slices.ContainsFunc(w.cur[sel.Lines.Start:sel.Lines.End], func(l string) bool { return !slices.Contains(w.base, l) })
}

// keepLines accepts lines: they are in the base then, and the other lines of the text are there if they were.
func (w *world) keepLines() {
	sel, ok := w.someLines()
	if !ok {
		return
	}
	w.say("keep lines %v", *sel.Lines)
	was := map[string]bool{}
	for _, l := range w.base {
		was[l] = true
	}
	n, cs := w.b.Keep(sel)
	if n == 0 && !w.based(sel) || len(cs) > 0 {
		w.fatal("kept %d, %v", n, cs)
	}
	w.base = slices.Collect(strings.Lines(w.basis()))
	is := map[string]bool{}
	for _, l := range w.base {
		if is[l] = true; !was[l] {
			w.took[l] = true
		}
	}
	for l := range was {
		if !is[l] {
			w.left[l] = true
		}
	}
	for i, l := range w.cur {
		if picked := sel.Lines.Start <= i && i < sel.Lines.End; is[l] != (was[l] || picked) {
			w.fatal("%q at %d is in the base: %v", l, i, is[l])
		}
	}
}

// undoLines takes lines back: the other lines of the text stay.
func (w *world) undoLines() {
	sel, ok := w.someLines()
	if !ok {
		return
	}
	w.say("undo lines %v", *sel.Lines)
	us, cs := w.b.PlanUndo(sel)
	if len(us) != 1 && !w.based(sel) || len(cs) > 0 {
		w.fatal("%v %v", us, cs)
	}
	if len(us) == 0 {
		return
	}
	for i, l := range w.cur {
		if picked := sel.Lines.Start <= i && i < sel.Lines.End; !picked && !strings.Contains("\n"+us[0].Target, "\n"+l) || picked && !slices.Contains(w.base, l) && strings.Contains("\n"+us[0].Target, "\n"+l) {
			w.fatal("%q at %d, the target is %q", l, i, us[0].Target)
		}
	}
	w.carryOut(us)
}

// editorUndo does to the text what an editor's own undo of a hunk does, without a word.
func (w *world) editorUndo() {
	h, ok := w.pick()
	if !ok {
		return
	}
	w.say("the editor undoes %s", h.ID)
	w.cur = slices.Concat(w.cur[:h.StartLine], slices.Collect(strings.Lines(h.OldText)), w.cur[h.EndLine:])
	if w.byChance() {
		return
	}
	w.b.TextChanged(modelPath, text(w.cur))
	if slices.ContainsFunc(w.hunks(), func(x Hunk) bool { return x.ID == h.ID }) {
		w.fatal("%s is still pending", h.ID)
	}
}
