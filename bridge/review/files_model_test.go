package review

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// folder is a disk of a few files, what the user last accepted of it, and a book.
type folder struct {
	t    *testing.T
	r    *rand.Rand
	d    *memDisk
	b    *Book
	now  map[string]string
	base map[string]string
	disk map[string]string // what is on disk of the files whose buffers have something unsaved
	was  map[string]string // and what of that was accepted
	next int
	log  []string
}

func (w *folder) say(format string, args ...any) { w.log = append(w.log, fmt.Sprintf(format, args...)) }

func (w *folder) fatal(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("%s\n%s", strings.Join(w.log, "\n"), fmt.Sprintf(format, args...))
}

func (w *folder) text() string {
	var out strings.Builder
	for range w.r.IntN(4) {
		w.next++
		fmt.Fprintf(&out, "l%d\n", w.next)
	}
	return out.String()
}

func (w *folder) paths() []string { return slices.Sorted(maps.Keys(w.now)) }

// change makes a change of the agent, seen by the editor or not.
func (w *folder) change(c Change) {
	c.Session = "s"
	if c.Kind != KindEdit {
		w.save(c.Path) // what is unsaved is in the way of anything else
		w.save(c.From)
	}
	was, unsaved := w.disk[c.Path]
	buffer := c.Kind == KindEdit && (unsaved || w.r.IntN(3) == 0)
	if buffer && !unsaved {
		was = c.Before
		w.open(c.Path)
	}
	c.Saved = !unsaved
	accepted, pending := w.b.Base(c.Path)
	if !pending {
		accepted = c.Before
	}
	p, err := w.b.Begin(c)
	if err != nil {
		w.fatal("%v", err)
	}
	w.say("agent %s: %s %s %s %q > %q", c.Turn, c.Kind, c.From, c.Path, c.Before, c.After)
	switch c.Kind {
	case KindDelete:
		delete(w.now, c.Path)
	case KindMove:
		delete(w.now, c.From)
		w.now[c.Path] = c.After
	default:
		w.now[c.Path] = c.After
		if buffer {
			w.say("in a buffer")
			if !unsaved {
				w.disk[c.Path], w.was[c.Path] = was, accepted
			}
		}
		if buffer || w.r.IntN(2) == 0 {
			w.b.TextChanged(c.Path, c.After)
		}
	}
	if w.r.IntN(8) == 0 {
		w.say("dies before the commit")
		w.restart()
		return
	}
	p.Commit(c.After)
}

// open opens a buffer of a file.
func (w *folder) open(path string) {
	w.say("open %s", path)
	w.b.Reconcile(path, w.now[path], true)
	if _, unsaved := w.disk[path]; !unsaved {
		w.b.Saved(path)
	}
}

// save saves a buffer.
func (w *folder) save(path string) {
	if _, unsaved := w.disk[path]; unsaved {
		w.say("save %s", path)
		delete(w.disk, path)
		w.b.Saved(path)
	}
}

// kind says what the agent did to a file as a whole, and where it comes from.
func (w *folder) kind(path string) (Kind, string) {
	for _, f := range w.b.Files(Filter{Path: path}) {
		return f.Kind, f.From
	}
	return KindEdit, ""
}

// user opens, saves, closes, renames or deletes a file, as an editor tells of it.
func (w *folder) user() {
	paths := w.paths()
	if len(paths) == 0 {
		return
	}
	path := paths[w.r.IntN(len(paths))]
	was, unsaved := w.disk[path]
	kind, from := w.kind(path)
	switch w.r.IntN(5) {
	case 0:
		w.open(path)
	case 1:
		w.save(path)
	case 2:
		if !unsaved {
			return
		}
		w.say("close %s without saving: %q", path, was)
		delete(w.disk, path)
		w.now[path] = was
		w.b.Unsettle(path)
		w.b.Reconcile(path, was, true)
		w.closed(path, kind, from)
	case 3:
		to := fmt.Sprintf("/w/%c", 'a'+w.r.IntN(5))
		if _, taken := w.now[to]; taken || slices.ContainsFunc(w.b.Files(Filter{}), func(f File) bool { return f.From == to }) {
			return
		}
		w.say("user renames %s to %s", path, to)
		w.now[to] = w.now[path]
		delete(w.now, path)
		if unsaved {
			delete(w.disk, path)
			w.disk[to], w.was[to] = was, w.was[path]
		}
		delete(w.base, to)
		if kind == KindEdit {
			w.base[to] = w.base[path]
			delete(w.base, path)
		}
		w.b.Renamed(path, to)
		for _, p := range w.b.Appeared(to) {
			w.b.Reconcile(p, w.now[p], true)
		}
	case 4:
		w.say("user deletes %s", path)
		delete(w.now, path)
		delete(w.disk, path)
		switch kind {
		case KindEdit:
			delete(w.base, path)
		case KindMove:
			delete(w.base, from)
		}
		w.b.Removed(path)
	}
}

// closed looks what is accepted of a file whose buffer was thrown away. A hunk that was kept as a whole, with what was only in the
// buffer, may be pending again as it was on disk; but nothing that was never in the file is accepted, and what happened to the file
// itself is not decided by closing it.
func (w *folder) closed(path string, kind Kind, from string) {
	now, source := w.kind(path)
	if kind != KindEdit && (now != kind || source != from) {
		w.fatal("a %s from %q is a %s from %q when its buffer is closed", kind, from, now, source)
	}
	base, pending := w.b.Base(path)
	if !pending {
		base = w.now[path]
	}
	for l := range strings.Lines(base) {
		if !strings.Contains(w.was[path]+w.now[path], l) {
			w.fatal("%q was accepted by nobody", l)
		}
	}
	switch kind {
	case KindEdit:
		w.base[path] = base
	case KindMove:
		w.base[from] = base
	}
}

func (w *folder) agent() {
	turn := fmt.Sprint("t", w.r.IntN(3))
	paths := w.paths()
	free := fmt.Sprintf("/w/%c", 'a'+w.r.IntN(5))
	_, taken := w.now[free]
	if len(paths) == 0 || !taken && w.r.IntN(3) == 0 {
		if !taken {
			w.change(Change{Turn: turn, Path: free, Kind: KindCreate, After: w.text(), Dirs: []string{"/w/dir"}})
		}
		return
	}
	path := paths[w.r.IntN(len(paths))]
	was := w.now[path]
	switch w.r.IntN(4) {
	case 0:
		w.change(Change{Turn: turn, Path: path, Kind: KindDelete, Before: was, BeforeExists: true})
	case 1:
		// Not to where another file came from: of a row of moves that push each other
		// on, a file deleted in the end comes back where it was deleted.
		old := slices.ContainsFunc(w.b.Files(Filter{}), func(f File) bool { return f.From == free })
		if !taken && !old {
			w.change(Change{Turn: turn, Path: free, From: path, Kind: KindMove, Before: was, After: was, BeforeExists: true})
		}
	default:
		ls := slices.Collect(strings.Lines(was))
		at := w.r.IntN(len(ls) + 1)
		end := at + w.r.IntN(len(ls)-at+1)
		after := text(ls[:at]) + w.text() + text(ls[end:])
		w.change(Change{Turn: turn, Path: path, Kind: KindEdit, Before: was, After: after, BeforeExists: true})
	}
}

func (w *folder) restart() {
	w.d = w.d.crash()
	var notices *[]string
	w.b, notices = openOn(w.t, w.d)
	if len(*notices) > 0 {
		w.fatal("%q", *notices)
	}
	for _, p := range w.b.Unsettled() {
		text, there := w.now[p]
		w.b.Reconcile(p, text, there)
	}
}

// carryOut does what plans say.
func (w *folder) carryOut(us []UndoFile) {
	for _, u := range us {
		if u.Action != ActionWrite {
			w.save(u.Path)
		}
		w.say("%s %s %s %q > %q %v", u.Action, u.Path, u.To, u.Current, u.Target, u.Hunks)
		was, there := w.now[u.Path]
		if there == (u.Action == ActionRestore) || was != u.Current {
			w.fatal("the disk has %q, %v", was, there)
		}
		switch u.Action {
		case ActionRemove:
			delete(w.now, u.Path)
		case ActionMove:
			if _, there := w.now[u.To]; there {
				w.fatal("%s is in the way", u.To)
			}
			delete(w.now, u.Path)
			w.now[u.To] = u.Target
		default:
			w.now[u.Path] = u.Target
		}
		if n, cs := w.b.Done(u, u.Target); n != len(u.Hunks) || len(cs) > 0 {
			w.fatal("done %d, %v", n, cs)
		}
	}
}

func (w *folder) selector() Selector {
	fs := w.b.Files(Filter{})
	if len(fs) == 0 {
		return Selector{All: true}
	}
	f := fs[w.r.IntN(len(fs))]
	switch h := f.Hunks[w.r.IntN(len(f.Hunks))]; w.r.IntN(4) {
	case 0:
		return Selector{Path: f.Path}
	case 1:
		return Selector{Turn: h.Turn}
	default:
		return Selector{Hunks: []string{h.ID}}
	}
}

func (w *folder) check() {
	w.t.Helper()
	moved := map[string]bool{}
	for _, f := range w.b.Files(Filter{}) {
		moved[f.From] = true
	}
	for _, f := range w.b.Files(Filter{}) {
		text, there := w.now[f.Path]
		if known, ok := w.b.Text(f.Path); there != ok || known != text {
			w.fatal("%s: the disk has %q %v, the book %q %v", f.Path, text, there, known, ok)
		}
		if (f.Kind == KindDelete) == there || (f.Kind == KindMove) != (f.From != "") {
			w.fatal("%s is a %s from %q, there: %v", f.Path, f.Kind, f.From, there)
		}
		if _, there := w.base[f.Path]; f.Kind == KindCreate && there && !moved[f.Path] {
			w.fatal("%s was there, and is a create", f.Path)
		}
		checkFile(w.t, w.b, f.Path, func() string { return strings.Join(w.log, "\n") })
	}
}

// TestFilesModel: creates, deletes, moves and edits in any order, undone, redone
// and kept in any order, with crashes, and with the user opening, saving, throwing
// away, renaming and deleting files in between: undoing everything gives what the user last
// accepted.
func TestFilesModel(t *testing.T) {
	run := func(seed int) {
		w := &folder{t: t, r: rand.New(rand.NewPCG(uint64(seed), 4)), d: newMemDisk(), now: map[string]string{}, disk: map[string]string{}, was: map[string]string{}}
		defer func() {
			if e := recover(); e != nil {
				w.fatal("%v\n%s", e, debug.Stack())
			}
		}()
		w.say("seed %d", seed)
		w.b, _ = openOn(t, w.d)
		for range w.r.IntN(4) {
			w.now[fmt.Sprintf("/w/%c", 'a'+w.r.IntN(5))] = w.text()
		}
		w.base = maps.Clone(w.now)
		w.say("%v", w.now)
		for range 2 + w.r.IntN(10) {
			switch w.r.IntN(15) {
			case 10, 11, 12, 13, 14:
				w.user()
			case 0:
				w.say("keep all")
				w.b.Keep(Selector{All: true})
				w.base = maps.Clone(w.now)
			case 1, 2:
				sel := w.selector()
				us, cs := w.b.PlanUndo(sel)
				w.say("undo %+v: %v", sel, cs)
				w.carryOut(us)
			case 3:
				us, _ := w.b.PlanRedo(Selector{All: true})
				w.say("redo")
				w.carryOut(us)
			case 4:
				w.say("restart")
				w.restart()
			default:
				w.agent()
			}
			w.check()
		}
		for range 3 { // what is in the way of one may be gone after another
			us, cs := w.b.PlanUndo(Selector{All: true})
			w.say("undo all: %v", cs)
			w.carryOut(us)
			w.check()
			if len(cs) == 0 {
				break
			}
			if len(us) == 0 {
				w.fatal("stuck")
			}
		}
		if !maps.Equal(w.now, w.base) {
			w.fatal("the disk has\n%v\nwant\n%v\npending %+v", w.now, w.base, w.b.Files(Filter{}))
		}
		if fs := w.b.Files(Filter{}); len(fs) > 0 {
			w.fatal("left: %+v", fs)
		}
	}
	for seed := range *rounds {
		run(seed)
	}
}
