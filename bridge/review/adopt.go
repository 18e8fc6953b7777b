package review

import (
	"errors"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/journal"
	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// How a journal changes hands. The process that holds its lock gives it a name that belongs to its own journal (1.log.from-1),
// puts what is in it into its own together with its prefix, and removes it. A process that dies on the way leaves either the
// old name, or one that is found when the new journal is opened or taken over; the prefix says whether it is in there already.

// leaving is a journal of a bridge that is gone.
type leaving struct {
	name   string // in the folder of the journals
	prefix string // of its hunk ids; "" if it has no good record
	st     *state
}

// taken is a journal that is part of this one, and may still lie beside it.
type taken struct {
	Prefix string   `json:"prefix"`
	Twice  []string `json:"twice,omitzero"` // files of which it held something that is not part of this one
}

// Adopt takes over what bridges that have ended since Open have left in their journals, and returns how many files it brought.
// They are listed at once, and subscribers are told of each when it has been compared with the text that is there: Reconcile
// what Unsettled gives. held says that another bridge still has a journal, because it lives or is about to end, or that a
// change of ours is on its way: there may be more later.
func (b *Book) Adopt() (files int, held bool) {
	defer b.changing()()
	if b.journal == nil {
		return 0, false
	}
	if len(b.plans) > 0 || slices.ContainsFunc(b.st.all(), func(fl *flight) bool { return !fl.orphan }) {
		return 0, true
	}
	got, held := b.adoptAll()
	for path := range got {
		if f := b.st.files[path]; f != nil {
			f.unseen = true
		}
	}
	return len(got), held
}

// adoptAll takes over the journals of this workspace that no process holds, and returns what files they brought. The caller
// holds b.mu.
func (b *Book) adoptAll() (got map[string]bool, held bool) {
	got = map[string]bool{}
	names, err := b.folder.Names()
	if err != nil {
		b.notice("What earlier bridges have left in %s could not be looked for: %v", b.folder.Path, err)
		return got, false
	}
	for n := range MaxJournals {
		if name := journal.Name(n); name == b.journal.Name() || b.refused[name] {
			continue
		}
		switch err := b.adopt(n, names, got); {
		case errors.Is(err, durable.ErrHeld):
			held = true
		case errors.Is(err, journal.ErrNewer):
		case err != nil:
			b.refused[journal.Name(n)] = true
			b.notice("The review journal %s of an earlier bridge could not be taken over: %v", journal.Name(n), err)
		}
	}
	return got, held
}

// adopt takes over one journal, with those that its bridge had begun to take over itself.
func (b *Book) adopt(n int, names []string, got map[string]bool) error {
	name := journal.Name(n)
	if !slices.Contains(names, journal.LockName(n)) {
		return nil
	}
	lock, err := b.folder.Lock(n)
	if err != nil {
		return err
	}
	defer lock.Close()
	if names, err = b.folder.Names(); err != nil { // what was there before may be another's by now
		return err
	}
	ls, err := b.beside(name, names)
	if err != nil {
		return err
	}
	if slices.Contains(names, name) {
		st, at, err := journal.Read(&b.folder, name, newState)
		if err != nil {
			return err
		}
		ls = slices.DeleteFunc(ls, func(l leaving) bool { return b.finish(name, l, st.Taken) })
		ls = append(ls, leaving{name, at.Head.Prefix, st})
	}
	if fresh := name + ".new"; slices.Contains(names, fresh) {
		_ = b.folder.Remove(fresh) // half a snapshot
	}
	for i := range ls {
		to := journal.Free(b.journal.Name()+".from", names)
		if err = b.folder.Rename(ls[i].name, to); err != nil {
			ls = ls[:i]
			break
		}
		ls[i].name = to
		names = append(names, to)
	}
	return errors.Join(b.takeIn(ls, got), err)
}

// beside reads what was about to become part of a journal.
func (b *Book) beside(of string, names []string) (ls []leaving, err error) {
	for _, name := range names {
		if !strings.HasPrefix(name, of+".from-") {
			continue
		}
		st, at, err := journal.Read(&b.folder, name, newState)
		if err != nil {
			return nil, err
		}
		ls = append(ls, leaving{name, at.Head.Prefix, st})
	}
	return ls, nil
}

// takeIn makes what is in journals part of ours.
func (b *Book) takeIn(ls []leaving, got map[string]bool) error {
	known := slices.Clone(b.st.Taken)
	for _, l := range ls {
		if l.prefix == "" || slices.ContainsFunc(known, func(t taken) bool { return t.Prefix == l.prefix }) {
			continue
		}
		l.st.orphan()
		b.st.merge(l, got)
	}
	if len(ls) == 0 {
		return nil
	}
	if err := b.journal.Compact(); err != nil {
		b.journal.Diverged() // before anything else is recorded
		return err
	}
	for _, l := range ls {
		if !b.finish(b.journal.Name(), l, b.st.Taken) {
			_ = b.folder.Remove(l.name) // nothing is in it
		}
	}
	return nil
}

// finish lets go of a journal that is part of the one called name; false if it is not. Where it is not wholly, it is set aside.
func (b *Book) finish(name string, l leaving, in []taken) bool {
	i := slices.IndexFunc(in, func(t taken) bool { return t.Prefix == l.prefix })
	if i < 0 {
		return false
	}
	if len(in[i].Twice) == 0 {
		if err := b.folder.Remove(l.name); err != nil {
			b.cfg.Log.Warn().Err(err).Msg("review journal: what was taken over stays beside it")
		}
		return true
	}
	aside, err := b.folder.SetAside(l.name, name)
	if err != nil {
		b.cfg.Log.Warn().Err(err).Msg("review journal: what could not be taken over stays beside it")
		return true
	}
	b.notice("Two bridges had changes pending in the same files (%s): those of the earlier one can no longer be resolved here; they are set aside in %s.", strings.Join(in[i].Twice, ", "), aside)
	return true
}

// merge takes over another state, and adds the files that it brought to got.
func (st *state) merge(l leaving, got map[string]bool) {
	other, t := l.st, taken{Prefix: l.prefix}
	brought := map[string]bool{}
	for path, f := range other.files {
		switch mine := st.files[path]; {
		case mine == nil:
			st.files[path], brought[path] = f, true
		case !f.pending():
		case st.stack(other, path):
			got[path] = true
		default:
			t.Twice = append(t.Twice, path)
		}
	}
	for path := range brought {
		got[path] = true
	}
	for _, fl := range other.all() {
		if brought[fl.path()] {
			fl.id = st.NextFlight
			st.NextFlight++
			st.flights[fl.id] = fl
		}
	}
	for _, nt := range other.Notes {
		if got[nt.Path] {
			st.Notes = append(st.Notes, nt)
		}
	}
	st.takeComments(other)
	st.Turns = append(slices.DeleteFunc(other.Turns, func(t string) bool { return slices.Contains(st.Turns, t) }), st.Turns...)
	st.NextChange = max(st.NextChange, other.NextChange)
	st.NextGroup = max(st.NextGroup, other.NextGroup)
	slices.Sort(t.Twice)
	st.Taken = append(st.Taken, append(other.Taken, t)...)
	if over := len(st.Taken) - maxTaken; over > 0 {
		st.Taken = slices.Delete(st.Taken, 0, over)
	}
}
