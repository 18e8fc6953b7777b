package review

import (
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
)

// Filter picks what Files lists; an empty field picks all.
type Filter struct{ Path, Turn, Session string }

// File is a file with something to decide.
type File struct {
	Path string
	Kind Kind
	From string // move: where the file was

	// Hunks are in the order of the text. A create, a delete or a move that no
	// text shows, and a change without an image, are a hunk without text at the
	// top, so that there is an id to keep or undo it by.
	Hunks []Hunk

	Undoable bool // every hunk can be undone
	Missing  bool // the file is not there, and the agent did not delete it
	Binary   bool // the texts are not for showing
}

// Hunk is one change to decide about. The strings of its text are whole lines.
type Hunk struct {
	ID            string
	Session, Turn string   // of the last change
	Turns         []string // all that have a part in it, oldest first

	// StartLine and EndLine bound it in the text as it is now, 0-based, half open.
	// EndLine is the number of lines where the hunk reaches the end of the text,
	// also if the last line has no line end. Start and End are the same in bytes.
	StartLine, EndLine int
	Start, End         int

	OldText, NewText string
	Edited           bool // the user changed it too

	Undoable bool
	Why      string // if it is not undoable
}

// Files lists the files with pending hunks, by path.
func (b *Book) Files(filter Filter) []File {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []File
	for _, f := range b.st.files {
		if filter.Path != "" && filter.Path != f.Path || !f.pending() {
			continue
		}
		if l := f.list(filter); len(l.Hunks) > 0 {
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(x, y File) int { return strings.Compare(x.Path, y.Path) })
	return out
}

// Base gives the text of a file that the user last accepted, false if nothing is
// pending in it: then that is the text as it is.
func (b *Book) Base(path string) (string, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.st.files[path]
	if f == nil || !f.pending() || f.Blind {
		return "", false
	}
	return f.base(), true
}

// Text gives the text of a file as the book knows it, false if it knows none.
func (b *Book) Text(path string) (string, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.st.files[path]
	if f == nil || f.Blind || !f.Exists {
		return "", false
	}
	return f.Text, true
}

// list describes the file with the hunks that the filter picks.
func (f *file) list(filter Filter) File {
	l := File{Path: f.Path, Kind: f.kind(), From: f.From, Undoable: true, Missing: f.Missing, Binary: f.binary()}
	for _, h := range f.ops() {
		if filter.picks(h.Turns, h.Session) {
			l.Hunks = append(l.Hunks, h)
			l.Undoable = l.Undoable && h.Undoable
		}
	}
	for i := range f.Hunks {
		if h := f.describe(&f.Hunks[i]); filter.picks(h.Turns, h.Session) {
			l.Hunks = append(l.Hunks, h)
		}
	}
	return l
}

func (filter Filter) picks(turns []string, session string) bool {
	return (filter.Turn == "" || slices.Contains(turns, filter.Turn)) && (filter.Session == "" || filter.Session == session)
}

// ops gives the changes of the file itself that no hunk stands for.
func (f *file) ops() []Hunk {
	var out []Hunk
	show := func(op *fileOp) {
		out = append(out, Hunk{
			ID: op.ID, Session: op.Session, Turn: op.Turn, Turns: []string{op.Turn},
			Undoable: op.Reason == "", Why: op.Reason,
		})
	}
	if f.Op != nil && (f.Op.Kind == KindMove || len(f.Hunks) == 0) {
		show(f.Op)
	}
	if f.Opaque != nil {
		show(f.Opaque)
	}
	return out
}

func (f *file) describe(h *hunk) Hunk {
	d := Hunk{
		ID: h.ID, Session: h.session(), Turn: h.turn(), StartLine: h.Start, EndLine: h.End,
		Start: f.Off(h.Start), End: f.Off(h.End), OldText: h.Old, NewText: f.Slice(h.Start, h.End),
		Edited: h.Touched, Undoable: true,
	}
	for _, l := range h.Layers {
		if !slices.Contains(d.Turns, l.Turn) {
			d.Turns = append(d.Turns, l.Turn)
		}
	}
	return d
}

// Count says how many lines of a file a turn added and removed.
type Count struct {
	Path           string
	Added, Removed int
}

// Counts gives, by path, what a turn did that still stands: in pending hunks and
// in those the user has kept already. A file with only a change of the file itself
// is listed with zeros.
func (b *Book) Counts(turn string) []Count {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []Count
	for _, f := range b.st.files {
		c, found := Count{Path: f.Path}, f.Op != nil && f.Op.Turn == turn || f.Opaque != nil && f.Opaque.Turn == turn
		for i := range f.Hunks {
			h := &f.Hunks[i]
			found = c.add(h, turn, f.Slice(h.Start, h.End)) || found
		}
		for i := range f.Marks {
			if m := &f.Marks[i]; m.Kind == kept && !m.Stale {
				found = c.add(&m.Hunk, turn, f.Slice(m.Hunk.Start, m.Hunk.End)) || m.File != nil && m.File.Turn == turn || found
			}
		}
		if found {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(x, y Count) int { return strings.Compare(x.Path, y.Path) })
	return out
}

// add counts the part of a turn in a hunk whose text is now.
func (c *Count) add(h *hunk, turn, now string) bool {
	found := false
	for i, l := range h.Layers {
		if l.Turn != turn {
			continue
		}
		found = true
		is := h.written(now)
		if i+1 < len(h.Layers) {
			is = h.Layers[i+1].Before
		}
		for _, d := range diff.Lines(l.Before, is) {
			c.Removed += d.OldEnd - d.OldStart
			c.Added += d.NewEnd - d.NewStart
		}
	}
	return found
}

// LastTurn gives the newest turn of which something can still be undone, pending or kept, and the files that it is about;
// "" if there is none.
func (b *Book) LastTurn() (turn string, paths []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, turn := range slices.Backward(b.st.Turns) {
		for _, path := range b.paths() {
			f := b.st.files[path]
			has := f.Op != nil && f.Op.Turn == turn
			for i := range f.Hunks {
				has = has || f.Hunks[i].has(turn)
			}
			for i := range f.Marks {
				has = has || f.Marks[i].Kind == kept && f.Marks[i].turnMatches(turn)
			}
			if has {
				paths = append(paths, path)
			}
		}
		if len(paths) > 0 {
			return turn, paths
		}
	}
	return "", nil
}
