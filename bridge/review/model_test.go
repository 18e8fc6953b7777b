package review

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

var rounds = flag.Int("rounds", defaultRounds, "random interleavings of the model check")

// world is a file, a book about it, and a simple account of what both should be:
// every line is unique, so that the base can be followed by hand.
type world struct {
	t    *testing.T
	r    *rand.Rand
	d    *memDisk
	b    *Book
	cur  []string
	base []string
	next int
	turn int
	log  []string

	was        moment          // before the last change of the text
	had        []Hunk          // then
	past       []moment        // texts that hunks went from, newest last
	saved      string          // what is on disk
	disk       *moment         // the same, where the book knows it
	took, left map[string]bool // lines that were accepted by keep: those that came, those that went
}

const modelPath = "/w/a.txt"

func (w *world) say(format string, args ...any) { w.log = append(w.log, fmt.Sprintf(format, args...)) }

func (w *world) fatal(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("%s\n%s", strings.Join(w.log, "\n"), fmt.Sprintf(format, args...))
}

func (w *world) line(who string) string {
	w.next++
	return fmt.Sprintf("%s%d\n", who, w.next)
}

func text(ls []string) string { return strings.Join(ls, "") }

func (w *world) hunks() []Hunk {
	fs := w.b.Files(Filter{Path: modelPath})
	if len(fs) == 0 {
		return nil
	}
	return fs[0].Hunks
}

// baseIndex gives the line of the base that stands where line k of the text does.
func baseIndex(hs []Hunk, k int) int {
	at := k
	for _, h := range hs {
		if h.EndLine <= k {
			at += lines.Count(h.OldText) - (h.EndLine - h.StartLine)
		}
	}
	return at
}

// random gives a small change of a text: lines [a, b) become n new ones.
func (w *world) random(who string, ls []string) (a, b int, fresh []string) {
	a = w.r.IntN(len(ls) + 1)
	b = a
	if a < len(ls) && w.r.IntN(3) > 0 {
		b = a + 1 + w.r.IntN(min(3, len(ls)-a))
	}
	n := w.r.IntN(3)
	if b == a {
		n++
	}
	for range n {
		fresh = append(fresh, w.line(who))
	}
	return a, b, fresh
}

// userEdit changes one place of the text as the user and follows the base. A
// change that happens to be the redo of something undone is one.
func (w *world) userEdit() {
	was := slices.Clone(w.base)
	w.edit()
	if f := w.b.st.files[modelPath]; f != nil {
		if w.byChance() {
			return
		}
		if r, ok := f.recognise(text(w.cur), lines.SharedEnds(f.Text, text(w.cur))); ok && r.Redo != nil {
			w.say("which is the redo of %v", r.Redo.IDs)
			w.base = was
		}
	}
}

func (w *world) edit() {
	hs := w.hunks()
	// One line at a time: what a change across the border of a hunk means is tested elsewhere.
	k := w.r.IntN(len(w.cur) + 1)
	within := func(k int) bool {
		return slices.ContainsFunc(hs, func(h Hunk) bool { return h.StartLine <= k && k < h.EndLine })
	}
	switch op := w.r.IntN(3); {
	case op == 0 || k == len(w.cur):
		l := w.line("u")
		inside := slices.ContainsFunc(hs, func(h Hunk) bool { return h.StartLine < k && k < h.EndLine })
		if !inside {
			w.base = slices.Insert(w.base, baseIndex(hs, k), l)
		}
		w.cur = slices.Insert(w.cur, k, l)
		w.say("user inserts %q at %d", l, k)
	case op == 1:
		if !within(k) {
			at := baseIndex(hs, k)
			w.base = slices.Delete(w.base, at, at+1)
		}
		w.say("user deletes %q at %d", w.cur[k], k)
		w.cur = slices.Delete(w.cur, k, k+1)
	default:
		l := w.line("u")
		if !within(k) {
			w.base[baseIndex(hs, k)] = l
		}
		w.say("user changes %q to %q at %d", w.cur[k], l, k)
		w.cur[k] = l
	}
}

func (w *world) begin(after []string) *Pending {
	p, err := w.b.Begin(Change{
		Session: "s", Turn: fmt.Sprint("t", w.turn), Path: modelPath, Kind: KindEdit,
		Before: text(w.cur), After: text(after), BeforeExists: true, Saved: w.saved == text(w.cur),
	})
	if err != nil {
		w.fatal("%v", err)
	}
	if w.saved == text(w.cur) {
		w.disk = &moment{slices.Clone(w.cur), slices.Clone(w.base)}
	}
	return p
}

// agentEdit runs a change of the agent, with what can happen on its way.
func (w *world) agentEdit() {
	if w.r.IntN(3) == 0 {
		w.turn++
	}
	a, b, fresh := w.random("a", w.cur)
	after := slices.Concat(w.cur[:a], fresh, w.cur[b:])
	p := w.begin(after)
	way := w.r.IntN(7)
	w.say("agent t%d changes %d-%d to %q, way %d", w.turn, a, b, fresh, way)
	switch way {
	case 0: // to the disk
		w.cur = after
		p.Commit(text(w.cur))
	case 1: // to a buffer
		w.cur = after
		w.b.TextChanged(modelPath, text(w.cur))
		p.Commit(text(w.cur))
	case 2: // the user goes on typing before the reply
		w.cur = after
		w.b.TextChanged(modelPath, text(w.cur))
		w.userEdit()
		w.b.TextChanged(modelPath, text(w.cur))
		p.Commit(text(w.cur))
	case 3: // not applied, and the user typed
		was := slices.Clone(w.base)
		w.userEdit()
		if text(w.cur) == text(after) {
			w.base = was // just what the agent was about to do: nobody can tell whose it is
		}
		w.b.TextChanged(modelPath, text(w.cur))
		p.Abort()
	case 4: // stale: begun again from the new text
		w.userEdit()
		if text(w.cur) == text(after) {
			p.Commit(text(after))
			w.base = slices.Collect(strings.Lines(w.basis()))
			return
		}
		w.b.TextChanged(modelPath, text(w.cur))
		a, b, fresh := w.random("a", w.cur)
		after := slices.Concat(w.cur[:a], fresh, w.cur[b:])
		if err := p.Rebase(text(w.cur), text(after)); err != nil {
			w.fatal("%v", err)
		}
		w.say("re-based: %d-%d to %q", a, b, fresh)
		w.cur = after
		p.Commit(text(w.cur))
	case 5: // the process dies after the change
		w.cur = after
		w.restart(false)
		w.b.Reconcile(modelPath, text(w.cur), true)
	case 6: // and before it
		w.restart(false)
		w.b.Reconcile(modelPath, text(w.cur), true)
	}
}

// basis gives the base as the book has it.
func (w *world) basis() string {
	if base, ok := w.b.Base(modelPath); ok {
		return base
	}
	return text(w.cur)
}

func (w *world) check() {
	w.t.Helper()
	fs := w.b.Files(Filter{})
	if len(fs) > 1 {
		w.fatal("files: %v", fs)
	}
	cur, tracked := w.b.Text(modelPath)
	if !tracked {
		w.disk = nil // whatever it is, nothing is pending in it
		if text(w.base) != text(w.cur) {
			w.fatal("nothing is pending, but the base is\n%q\nand the text\n%q", w.base, w.cur)
		}
		return
	}
	if cur != text(w.cur) {
		w.fatal("the text is\n%q\nthe book has\n%q", w.cur, cur)
	}
	checkFile(w.t, w.b, modelPath, func() string { return strings.Join(w.log, "\n") })
	base, pending := w.b.Base(modelPath)
	if !pending {
		base = cur
	}
	if base != text(w.base) {
		w.fatal("base\n%q\nwant\n%q\nhunks %v", base, text(w.base), w.hunks())
	}
}

func (w *world) step() {
	w.was, w.had = moment{slices.Clone(w.cur), slices.Clone(w.base)}, w.hunks()
	op := w.r.IntN(18)
	switch op {
	case 0, 1, 2:
		w.agentEdit()
	case 3, 4, 5:
		w.userEdit()
		w.b.TextChanged(modelPath, text(w.cur))
	case 12, 13:
		w.goBack()
	case 14:
		w.save()
	case 15:
		w.closeUnsaved()
	case 16:
		w.keepLines()
	case 17:
		w.undoLines()
	case 6:
		w.keep()
	case 7, 8:
		w.undo()
	case 9:
		w.redo()
	case 10:
		w.editorUndo()
	case 11:
		w.restart(w.r.IntN(2) == 0)
		w.b.Reconcile(modelPath, text(w.cur), true)
	}
	w.check()
	if op > 2 && op != 6 && op != 11 && op != 16 {
		w.leave(w.was, w.had)
	}
}

// end undoes or keeps everything and looks whether nothing is left.
func (w *world) end() {
	if w.r.IntN(2) == 0 {
		w.say("undo all")
		us, cs := w.b.PlanUndo(Selector{All: true})
		if len(cs) > 0 {
			w.fatal("%v", cs)
		}
		for _, u := range us {
			if u.Target != text(w.base) {
				w.fatal("undo all gives\n%q\nwant\n%q", u.Target, text(w.base))
			}
			w.b.Done(u, u.Target)
			w.cur = slices.Collect(strings.Lines(u.Target))
		}
	} else {
		w.say("keep all")
		w.b.Keep(Selector{All: true})
		w.base = slices.Clone(w.cur)
		w.userEdit()
		w.b.TextChanged(modelPath, text(w.cur))
	}
	w.check()
	if hs := w.hunks(); len(hs) > 0 && text(w.base) == text(w.cur) { // else what was undone has come back by chance
		w.fatal("left: %v", hs)
	}
}

// TestModel: whatever the order of what agent, user, editor and crashes do, the
// text is the user's and the agent's changes put together, and the base is the
// text without the agent's.
func TestModel(t *testing.T) {
	run := func(seed int) {
		w := &world{t: t, r: rand.New(rand.NewPCG(uint64(seed), 1)), d: newMemDisk(), took: map[string]bool{}, left: map[string]bool{}}
		defer func() {
			if e := recover(); e != nil {
				w.fatal("%v\n%s", e, debug.Stack())
			}
		}()
		w.b, _ = openOn(t, w.d)
		w.say("seed %d", seed)
		for range w.r.IntN(8) {
			w.cur = append(w.cur, w.line("b"))
		}
		w.base = slices.Clone(w.cur)
		for range 4 + w.r.IntN(16) {
			w.step()
		}
		w.end()
	}
	for seed := range *rounds {
		run(seed)
	}
}
