package review

import (
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// file is what the book knows of one file. Its base is not stored: it is the
// current text with the old text of every hunk put back, so that "base with all
// hunks applied is the current text" cannot fail.
type file struct {
	Path string `json:"path"`
	lines.Body
	Hunks []hunk  `json:"hunks,omitzero"` // in order, never overlapping
	Marks []mark  `json:"marks,omitzero"`
	Pasts []*past `json:"pasts,omitzero"` // oldest first
	Image *image  `json:"image,omitzero"` // of the file before the oldest pending change; nil if it is not known
	Saved *past   `json:"saved,omitzero"` // of the text that was saved last; nil if that is not known

	Exists  bool   `json:"exists,omitzero"`  // the file exists now
	Based   bool   `json:"based,omitzero"`   // it existed when the user last accepted it
	Missing bool   `json:"missing,omitzero"` // another program took it away; it may come back
	Blind   bool   `json:"blind,omitzero"`   // its text is not known
	From    string `json:"from,omitzero"`    // where the user last accepted it, if the agent moved it

	Op     *fileOp `json:"op,omitzero"`     // the agent created, deleted or moved it, or made its byte order mark come or go (KindEdit), not decided yet
	Opaque *fileOp `json:"opaque,omitzero"` // the agent changed it in a way that cannot be shown or undone

	Mode   fs.FileMode `json:"mode,omitzero"` // both as the user last accepted them
	BOM    bool        `json:"bom,omitzero"`
	Remode bool        `json:"remode,omitzero"` // and the file has another mode now, the agent's doing

	unsettled bool // from the journal, not yet compared with the text there is
	unseen    bool // and taken over since Open: subscribers are told once it has been
}

// fileOp is a pending change of the file itself.
type fileOp struct {
	ID      string   `json:"id"`
	Session string   `json:"session"`
	Turn    string   `json:"turn"`
	Kind    Kind     `json:"kind"`
	From    string   `json:"from,omitzero"`   // move: where it was
	To      string   `json:"to,omitzero"`     // undone: where it had gone
	Dirs    []string `json:"dirs,omitzero"`   // create: folders made for it
	Reason  string   `json:"reason,omitzero"` // opaque: why it cannot be undone
	Mixed   bool     `json:"mixed,omitzero"`  // other turns did the same before
}

// kind says what happened to the file as a whole since the user accepted it.
func (f *file) kind() Kind {
	switch {
	case f.Op != nil:
		return f.Op.Kind
	case f.Opaque != nil:
		return f.Opaque.Kind
	}
	return KindEdit
}

// pending says that something waits for the user.
func (f *file) pending() bool { return len(f.Hunks) > 0 || f.Op != nil || f.Opaque != nil }

// idle says that the file is only known for what was kept or undone in it.
func (f *file) idle() bool { return !f.pending() && f.remembers() }

// remembers says that something of what was kept or undone may come back.
func (f *file) remembers() bool { return len(f.Marks)+len(f.Pasts) > 0 }

// base gives what the user last accepted.
func (f *file) base() string {
	ks := make([]lines.Block, len(f.Hunks))
	for i, h := range f.Hunks {
		ks[i] = h.block(h.Old)
	}
	return f.Weave(0, f.Lines(), ks)
}

// deleted says that the agent has taken the file away and the user has not decided on that.
func (f *file) deleted() bool { return !f.Exists && f.Op != nil && f.Op.Kind == KindDelete }

// hunk finds a pending hunk.
func (f *file) hunk(id string) int {
	return slices.IndexFunc(f.Hunks, func(h hunk) bool { return h.ID == id })
}

// mark finds the latest mark of a kind for a hunk.
func (f *file) mark(id string, kind markKind) int {
	for i := len(f.Marks) - 1; i >= 0; i-- {
		if m := &f.Marks[i]; m.Kind == kind && (m.Hunk.ID == id || m.File != nil && m.File.ID == id) {
			return i
		}
	}
	return -1
}

// at gives the latest mark of a kind for a hunk, nil if there is none or its lines were changed.
func (f *file) at(id string, kind markKind) *mark {
	if i := f.mark(id, kind); i >= 0 && !f.Marks[i].Stale {
		return &f.Marks[i]
	}
	return nil
}

// free says that no pending hunk reaches into lines [start, end), or around them.
func (f *file) free(start, end int) bool {
	return !slices.ContainsFunc(f.Hunks, func(h hunk) bool { return h.holds(start, end) })
}

// addMark remembers a mark, and forgets the oldest where there are too many.
func (f *file) addMark(m mark) {
	if n := len(f.Marks) - MaxMarks; n >= 0 {
		f.Marks = slices.Delete(f.Marks, 0, n+1)
	}
	m.Fresh = m.Kind == undone
	f.Marks = append(f.Marks, m)
}

// endRedo notes that something else than undo and redo happened to the file: an editor's redo brings no hunk back any more.
func (f *file) endRedo() {
	for i := range f.Marks {
		f.Marks[i].Fresh = false
	}
}

// binary says that the text is not one that an editor could show.
func (f *file) binary() bool { return !utf8.ValidString(f.Text) || strings.IndexByte(f.Text, 0) >= 0 }

// clone copies what a change alters in place.
func (f *file) clone() *file {
	c := *f
	c.Body = lines.New(f.Text)
	c.Hunks = slices.Clone(f.Hunks)
	c.Marks = slices.Clone(f.Marks)
	return &c
}
