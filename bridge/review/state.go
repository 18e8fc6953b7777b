package review

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// state is everything the book knows. It changes by step only, and the same
// records always lead to the same state.
type state struct {
	files   map[string]*file
	flights map[uint64]*flight
	rest

	prefix string
	talked map[string]bool // paths whose comments changed since they were last reported
	shown  map[string]bool // paths whose pending hunks changed since they were last reported
}

// rest is what of the state is neither a file nor a change in flight, as it is in a snapshot.
type rest struct {
	Turns []string `json:"turns,omitzero"` // with something to undo or to redo, oldest first
	Notes []note   `json:"notes,omitzero"` // undone and not yet told to the agent, oldest first
	Taken []taken  `json:"taken,omitzero"` // journals whose contents are here too, oldest first

	Comments []Comment `json:"comments,omitzero"` // that wait, in the order in which they were made

	NextHunk   uint64 `json:"hunk"`
	NextChange uint64 `json:"change"`
	NextFlight uint64 `json:"flight"`
	NextGroup  uint64 `json:"group"`
}

func newState() *state {
	return &state{
		files: map[string]*file{}, flights: map[uint64]*flight{}, shown: map[string]bool{}, talked: map[string]bool{},
		rest: rest{NextHunk: 1, NextChange: 1, NextFlight: 1, NextGroup: 1},
	}
}

func (st *state) newID() string {
	st.NextHunk++
	return st.prefix + strconv.FormatUint(st.NextHunk-1, 36)
}

// step applies a record. An error means that the record does not fit the state,
// which only a damaged journal can bring about.
func (st *state) step(r record) error {
	switch {
	case r.Header != nil:
		st.prefix = r.Header.Prefix
	case r.Begin != nil:
		return st.begin(r.Begin)
	case r.Land != nil:
		return st.land(r.Land)
	case r.Close != nil:
		if fl := st.flights[r.Close.ID]; fl != nil {
			delete(st.flights, r.Close.ID)
			if r.Close.Back && fl.saved != nil {
				st.files[fl.saved.Path] = fl.saved
				st.shown[fl.saved.Path] = true
			}
			st.tidy(fl.c.Path)
			st.tidy(fl.c.From)
		}
	case r.User != nil:
		return st.on(r.User.Path, func(f *file) error { return st.user(f, r.User) })
	case r.Ends != nil:
		return st.decided(r.Ends.Path, func(f *file) error { st.convert(f, r.Ends.CRLF); return nil })
	case r.Keep != nil:
		return st.decided(r.Keep.Path, func(f *file) error { st.keep(f, r.Keep.IDs); return nil })
	case r.Part != nil:
		return st.decided(r.Part.Path, func(f *file) error { st.partHunks(f, r.Part.Lines); return nil })
	case r.Undo != nil:
		return st.decided(r.Undo.Path, func(f *file) error { return st.undo(f, r.Undo) })
	case r.Redo != nil:
		return st.decided(r.Redo.Path, func(f *file) error { return st.redo(f, r.Redo.IDs) })
	case r.Recall != nil:
		return st.decided(r.Recall.Path, func(f *file) error { return st.recall(f, r.Recall) })
	case r.Saved != nil:
		return st.on(r.Saved.Path, func(f *file) error { f.Saved = f.saving(); return nil })
	case r.Away != nil:
		return st.decided(r.Away.Path, func(f *file) error { st.away(f, r.Away); return nil })
	case r.Rename != nil:
		st.rename(r.Rename)
	case r.Told != nil:
		st.Notes = slices.DeleteFunc(st.Notes, func(n note) bool { return n.Session == r.Told.Session })
	case r.Comment != nil:
		st.comment(r.Comment)
	case r.Uncomment != nil:
		st.uncomment(r.Uncomment)
	case r.File != nil:
		return st.restoreFile(r.File)
	case r.Rest != nil:
		return st.restoreRest(r.Rest)
	}
	return nil
}

// on runs a change of one file and then drops the file if nothing is left to know of it.
func (st *state) on(path string, change func(f *file) error) error {
	f := st.files[path]
	if f == nil {
		return fmt.Errorf("a record for %s, of which nothing is known", path)
	}
	err := change(f)
	st.tidy(path)
	return err
}

// decided is on, for what is not a change of text: a change in flight can no
// longer be judged anew from where it began.
func (st *state) decided(path string, change func(f *file) error) error {
	for _, fl := range st.flightsOf(path) {
		fl.saved, fl.at = nil, nil
	}
	return st.on(path, change)
}

// tidy drops a file of which there is nothing left to know.
func (st *state) tidy(path string) {
	f := st.files[path]
	if f != nil && !f.pending() && !f.remembers() && len(st.flightsOf(path)) == 0 {
		delete(st.files, path)
	}
}

// all gives the changes in flight, oldest first.
func (st *state) all() []*flight {
	return slices.SortedFunc(maps.Values(st.flights), func(a, b *flight) int { return cmp.Compare(a.id, b.id) })
}

// flightsOf gives those of the file at path.
func (st *state) flightsOf(path string) []*flight {
	return slices.DeleteFunc(st.all(), func(fl *flight) bool { return fl.path() != path })
}

// rekey gives a file another path.
func (st *state) rekey(f *file, path string) {
	st.shown[f.Path], st.shown[path] = true, true
	delete(st.files, f.Path)
	f.Path = path
	st.files[path] = f
}

// sawTurn puts a turn at the end of the list. When a new one starts, the oldest
// let go of their marks where there are too many turns or too much is remembered.
func (st *state) sawTurn(turn string) {
	if n := len(st.Turns); n > 0 && st.Turns[n-1] == turn {
		return
	}
	st.Turns = slices.DeleteFunc(slices.Clone(st.Turns), func(t string) bool { return t == turn })
	idle := 0
	for _, f := range st.files {
		if f.idle() {
			idle += len(f.Text)
		}
	}
	for len(st.Turns) >= MaxTurns || idle > MaxIdle && len(st.Turns) > 0 {
		old := st.Turns[0]
		st.Turns = st.Turns[1:]
		for path, f := range st.files {
			was := f.idle()
			f.dropMarks(old)
			if was && !f.remembers() {
				idle -= len(f.Text)
			}
			st.tidy(path)
		}
	}
	st.Turns = append(st.Turns, turn)
}

func (st *state) begin(op *beginOp) error {
	c := &op.Change
	at := c.Path
	if c.Kind == KindMove {
		at = c.From
	}
	before, f := c.Before, st.files[at]
	if c.Tracked {
		if f == nil {
			return fmt.Errorf("a change of %s, of which nothing is known", at)
		}
		before = f.Text
	}
	if was := lines.New(before); was.Fits(c.Blocks) != nil {
		return fmt.Errorf("a change of %s that does not fit its text", at)
	}
	fl := &flight{id: op.ID, c: c.change(before), blocks: c.Blocks}
	st.flights[op.ID] = fl
	st.NextFlight = max(st.NextFlight, op.ID+1)
	st.sawTurn(c.Turn)
	if f == nil {
		there := c.Kind != KindCreate
		f = &file{Path: at, Exists: there, Based: there, Blind: c.NoImage != "", Mode: c.Mode, BOM: c.BOM, Body: lines.New(before)}
		st.files[at] = f
	}
	if c.Mode != 0 && !f.pending() {
		f.Mode, f.BOM, f.Remode = c.Mode, c.BOM, false // of what the user has accepted, like the base: a later change does not count
	}
	if c.Saved && f.Text == before {
		f.Saved = f.saving()
		if !f.pending() && f.Exists {
			f.Image = &image{sha256.Sum256([]byte(before)), cmp.Or(c.Disk, before)}
		}
	}
	if fl.textual() {
		fl.saved, fl.at = f.clone(), fl.blocks
	}
	return nil
}
