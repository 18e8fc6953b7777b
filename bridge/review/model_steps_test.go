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
