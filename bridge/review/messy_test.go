package review

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// messy gives a text of few different lines, with what makes lines difficult.
func messy(r *rand.Rand, most int) string {
	var out strings.Builder
	for range r.IntN(most + 1) {
		out.WriteString([]string{"a\n", "b\n", "\n", "}\n", "a\r\n", "ä𝒳\n"}[r.IntN(6)])
	}
	if r.IntN(3) == 0 {
		out.WriteString([]string{"a", "b", "end", "\r"}[r.IntN(4)])
	}
	return out.String()
}

// mangle changes a text in one to three places, anywhere, also within lines.
func mangle(r *rand.Rand, s string) string {
	for range 1 + r.IntN(3) {
		a := r.IntN(len(s) + 1)
		b := a + r.IntN(min(len(s)-a, 6)+1)
		s = strings.ToValidUTF8(s[:a], "") + messy(r, 2) + strings.ToValidUTF8(s[b:], "")
	}
	return s
}

// TestMessyTexts: with equal lines, missing line ends and changes across hunks it
// is open which of several readings is right; what must hold in all of them is
// that text, base and hunks fit, that undoing everything gives the base, and that
// a restart changes nothing.
func TestMessyTexts(t *testing.T) {
	const path = "/w/m"
	run := func(seed int) {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		d := newMemDisk()
		b, _ := openOn(t, d)
		cur := messy(r, 8)
		var log []string
		say := func(format string, args ...any) { log = append(log, fmt.Sprintf(format, args...)) }
		fatal := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("seed %d\n%s\n%s", seed, strings.Join(log, "\n"), fmt.Sprintf(format, args...))
		}
		defer func() {
			if e := recover(); e != nil {
				fatal("%v\n%s", e, debug.Stack())
			}
		}()
		say("%q", cur)
		for range 3 + r.IntN(12) {
			switch r.IntN(9) {
			case 0, 1, 2:
				after := mangle(r, cur)
				p, err := b.Begin(Change{Session: "s", Turn: fmt.Sprint(r.IntN(3)), Path: path, Kind: KindEdit, Before: cur, After: after, BeforeExists: true})
				if err != nil {
					fatal("%v", err)
				}
				say("agent %q", after)
				actual := after
				if r.IntN(3) == 0 {
					actual = mangle(r, after)
					say("with %q", actual)
					if r.IntN(2) == 0 {
						b.TextChanged(path, actual)
					}
				}
				switch r.IntN(4) {
				case 0:
					p.Abort()
					if b.st.files[path] != nil {
						b.TextChanged(path, actual)
					}
					cur = actual
				case 1:
					p.Unknown()
					b.TextChanged(path, actual)
					cur = actual
				default:
					p.Commit(actual)
					cur = actual
				}
			case 3, 4:
				cur = mangle(r, cur)
				say("user %q", cur)
				b.TextChanged(path, cur)
			case 5:
				if fs := b.Files(Filter{}); len(fs) > 0 {
					h := fs[0].Hunks[r.IntN(len(fs[0].Hunks))]
					base, _ := b.Base(path)
					say("keep %s", h.ID)
					b.Keep(Selector{Hunks: []string{h.ID}})
					if base != "" && len(fs[0].Hunks) == 1 {
						if now, ok := b.Base(path); ok {
							fatal("base after the last keep: %q", now)
						}
					}
				}
			case 6:
				sel := Selector{All: true}
				if fs := b.Files(Filter{}); len(fs) > 0 && r.IntN(3) > 0 {
					h := fs[0].Hunks[r.IntN(len(fs[0].Hunks))]
					sel = Selector{Hunks: []string{h.ID}}
					if r.IntN(3) == 0 {
						sel = Selector{Turn: h.Turns[r.IntN(len(h.Turns))], Kept: r.IntN(2) == 0}
					}
				}
				base, pending := b.Base(path)
				us, cs := b.PlanUndo(sel)
				say("undo %+v: %+v %v", sel, us, cs)
				for _, u := range us {
					if sel.All && pending && u.Target != base {
						fatal("undo all gives %q, the base is %q", u.Target, base)
					}
					cur = u.Target
					if r.IntN(2) == 0 {
						cur = mangle(r, cur)
						say("with %q", cur)
						b.TextChanged(path, cur)
					}
					b.Done(u, cur)
				}
			case 7:
				us, _ := b.PlanRedo(Selector{Path: path})
				say("redo %+v", us)
				for _, u := range us {
					cur = u.Target
					if n, cs := b.Done(u, cur); n != len(u.Hunks) {
						fatal("%v", cs)
					}
				}
			case 8:
				say("restart")
				was := fmt.Sprint(b.Files(Filter{}))
				d = d.crash()
				var notices *[]string
				b, notices = openOn(t, d)
				if now := fmt.Sprint(b.Files(Filter{})); now != was || len(*notices) > 0 {
					fatal("before\n%s\nafter\n%s\n%v", was, now, *notices)
				}
				b.Reconcile(path, cur, true)
			}
			if now, ok := b.Text(path); ok && now != cur {
				fatal("text %q, the book has %q", cur, now)
			}
			checkFile(t, b, path, func() string { return fmt.Sprintf("seed %d\n%s", seed, strings.Join(log, "\n")) })
		}
		base, pending := b.Base(path)
		us, cs := b.PlanUndo(Selector{All: true})
		if pending && (len(us) != 1 || us[0].Target != base || len(cs) > 0) {
			fatal("undo all gives %+v %v, the base is %q", us, cs, base)
		}
		b.Keep(Selector{All: true})
		if fs := b.Files(Filter{}); len(fs) > 0 {
			fatal("left: %v", fs)
		}
	}
	for seed := range *rounds {
		run(seed)
	}
}

// TestTurnsAreUndoneOneByOne: turns that change each other's lines can be taken
// back newest first, each giving the text from before it, also when parts were
// kept and the process was restarted.
func TestTurnsAreUndoneOneByOne(t *testing.T) {
	conflicts := 0
	run := func(seed int) {
		w := &world{t: t, r: rand.New(rand.NewPCG(uint64(seed), 3)), d: newMemDisk()}
		defer func() {
			if e := recover(); e != nil {
				w.fatal("%v\n%s", e, debug.Stack())
			}
		}()
		w.say("seed %d", seed)
		w.b, _ = openOn(t, w.d)
		for range w.r.IntN(8) {
			w.cur = append(w.cur, w.line("b"))
		}
		var starts [][]string
		for w.turn = range 1 + w.r.IntN(4) {
			starts = append(starts, w.cur)
			for range 1 + w.r.IntN(3) {
				a, b, fresh := w.random("a", w.cur)
				after := slices.Concat(w.cur[:a], fresh, w.cur[b:])
				w.say("agent t%d changes %d-%d to %q", w.turn, a, b, fresh)
				p := w.begin(after)
				w.cur = after
				p.Commit(text(after))
			}
		}
		if w.r.IntN(3) == 0 {
			w.restart(false)
		}
		if h, ok := w.pick(); ok && w.r.IntN(3) == 0 && len(h.Turns) == 1 {
			w.say("keep %s", h.ID)
			w.b.Keep(Selector{Hunks: []string{h.ID}})
		}
		for turn, start := range slices.Backward(starts) {
			sel := Selector{Turn: fmt.Sprint("t", turn), Kept: true}
			us, cs := w.b.PlanUndo(sel)
			w.say("undo %d: %+v %v", turn, us, cs)
			cs = slices.DeleteFunc(cs, func(c Conflict) bool { return c.ID == sel.Turn }) // it had come to nothing
			if len(cs) > 0 {
				conflicts++ // allowed where changes lie within each other, but not as a habit
				return
			}
			for _, u := range us {
				if n, cs := w.b.Done(u, u.Target); n != len(u.Hunks) || len(cs) > 0 {
					w.fatal("%d %v", n, cs)
				}
				w.cur = slices.Collect(strings.Lines(u.Target))
			}
			if text(w.cur) != text(start) {
				w.fatal("after undo of %d\n%q\nwant\n%q\nhunks %v", turn, text(w.cur), text(start), w.hunks())
			}
			checkFile(t, w.b, modelPath, func() string { return strings.Join(w.log, "\n") })
			if w.r.IntN(4) == 0 {
				w.restart(true)
			}
		}
		if hs := w.hunks(); len(hs) > 0 {
			w.fatal("left: %v", hs)
		}
	}
	for seed := range *rounds / 2 {
		run(seed)
	}
	if conflicts > 1+*rounds/1000 {
		t.Errorf("%d of %d ended in a conflict", conflicts, *rounds/2)
	}
}
