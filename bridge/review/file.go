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
	path string
	lines.Body
	hunks []hunk // in order, never overlapping
	marks []mark
	pasts []*past // oldest first
	image *image  // of the file before the oldest pending change; nil if it is not known
	saved *past   // of the text that was saved last; nil if that is not known

	exists  bool   // the file exists now
	based   bool   // it existed when the user last accepted it
	missing bool   // another program took it away; it may come back
	blind   bool   // its text is not known
	from    string // where the user last accepted it, if the agent moved it

	op     *fileOp // the agent created, deleted or moved it, or made its byte order mark come or go (KindEdit), not decided yet
	opaque *fileOp // the agent changed it in a way that cannot be shown or undone

	mode   fs.FileMode // both as the user last accepted them
	bom    bool
	remode bool // and the file has another mode now, the agent's doing

	unsettled bool // from the journal, not yet compared with the text there is
	unseen    bool // and taken over since Open: subscribers are told once it has been
}

// fileOp is a pending change of the file itself.
type fileOp struct {
	id, session, turn string
	kind              Kind
	from, to          string   // move: where it was; undone: where it had gone
	dirs              []string // create: folders made for it
	reason            string   // opaque: why it cannot be undone
	mixed             bool     // other turns did the same before
}

// kind says what happened to the file as a whole since the user accepted it.
func (f *file) kind() Kind {
	switch {
	case f.op != nil:
		return f.op.kind
	case f.opaque != nil:
		return f.opaque.kind
	}
	return KindEdit
}

// pending says that something waits for the user.
func (f *file) pending() bool { return len(f.hunks) > 0 || f.op != nil || f.opaque != nil }

// idle says that the file is only known for what was kept or undone in it.
func (f *file) idle() bool { return !f.pending() && f.remembers() }

// remembers says that something of what was kept or undone may come back.
func (f *file) remembers() bool { return len(f.marks)+len(f.pasts) > 0 }

// base gives what the user last accepted.
func (f *file) base() string {
	ks := make([]lines.Block, len(f.hunks))
	for i, h := range f.hunks {
		ks[i] = h.block(h.old)
	}
	return f.Weave(0, f.Lines(), ks)
}

// deleted says that the agent has taken the file away and the user has not decided on that.
func (f *file) deleted() bool { return !f.exists && f.op != nil && f.op.kind == KindDelete }

// hunk finds a pending hunk.
func (f *file) hunk(id string) int {
	return slices.IndexFunc(f.hunks, func(h hunk) bool { return h.id == id })
}

// mark finds the latest mark of a kind for a hunk.
func (f *file) mark(id string, kind markKind) int {
	for i := len(f.marks) - 1; i >= 0; i-- {
		if m := &f.marks[i]; m.kind == kind && (m.h.id == id || m.file != nil && m.file.id == id) {
			return i
		}
	}
	return -1
}

// at gives the latest mark of a kind for a hunk, nil if there is none or its lines were changed.
func (f *file) at(id string, kind markKind) *mark {
	if i := f.mark(id, kind); i >= 0 && !f.marks[i].stale {
		return &f.marks[i]
	}
	return nil
}

// free says that no pending hunk reaches into lines [start, end), or around them.
func (f *file) free(start, end int) bool {
	return !slices.ContainsFunc(f.hunks, func(h hunk) bool { return h.holds(start, end) })
}

// addMark remembers a mark, and forgets the oldest where there are too many.
func (f *file) addMark(m mark) {
	if n := len(f.marks) - MaxMarks; n >= 0 {
		f.marks = slices.Delete(f.marks, 0, n+1)
	}
	m.fresh = m.kind == undone
	f.marks = append(f.marks, m)
}

// settled notes that something else than undo and redo happened to the file.
func (f *file) settled() {
	for i := range f.marks {
		f.marks[i].fresh = false
	}
}

// binary says that the text is not one that an editor could show.
func (f *file) binary() bool { return !utf8.ValidString(f.Text) || strings.IndexByte(f.Text, 0) >= 0 }

// clone copies what a change alters in place.
func (f *file) clone() *file {
	c := *f
	c.Body = lines.New(f.Text)
	c.hunks = slices.Clone(f.hunks)
	c.marks = slices.Clone(f.marks)
	return &c
}
