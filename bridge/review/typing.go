package review

import (
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// TextChanged says what a text is now: every change of an open buffer is told,
// and of a file that is not open whatever is found. A change of the agent that is
// being applied is recognised; the rest is the user's.
func (b *Book) TextChanged(path, text string) {
	defer b.changing()()
	f := b.st.files[path]
	if f == nil {
		return
	}
	if f.deleted() { // a buffer with its name, empty or with its old text, is not the file
		b.arrive(f, text)
		return
	}
	b.textChanged(f, text)
}

// Deleted says that the agent has deleted the file and nobody decided on that yet. What a buffer of that name shows does not
// matter then: the file is there again when it is on disk, which Reconcile says.
func (b *Book) Deleted(path string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.st.files[path]
	return f != nil && f.deleted()
}

// Vanished gives the text of a file with pending changes that another program has taken away. While an undo is on its way the file
// is where that puts it.
func (b *Book) Vanished(path string) (text string, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.st.files[path]
	if f == nil || !f.Missing || !f.pending() || f.Blind || b.plans[path] != nil {
		return "", false
	}
	return f.Text, true
}

// Changes counts what the book has recorded so far, for [Book.ReconcileAsOf].
func (b *Book) Changes() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.changes
}

// ReconcileAsOf is Reconcile with what was read after Changes was asked for. It does nothing, and returns false, if something has
// been recorded since: what was read may be older than an undo that is done, and would look like the user's taking it back.
func (b *Book) ReconcileAsOf(changes uint64, path, text string, exists bool) bool {
	defer b.changing()()
	if b.changes != changes {
		return false
	}
	b.reconcile(path, text, exists)
	return true
}

// Reconcile is TextChanged for a file that was looked at rather than heard of:
// after a restart, or before a plan. text is what the editor has or else the disk.
func (b *Book) Reconcile(path, text string, exists bool) {
	defer b.changing()()
	b.reconcile(path, text, exists)
}

func (b *Book) reconcile(path, text string, exists bool) {
	for _, fl := range b.st.all() {
		if fl.orphan && fl.landed && !fl.guess && fl.path() == path {
			b.do(record{Close: &closeOp{ID: fl.id}}) // nobody else ends it, and no past comes back while it is under way
			continue
		}
		// What cannot be seen in a text can be seen by the file being there.
		if !fl.orphan || fl.landed || fl.textual() {
			continue
		}
		switch {
		case fl.c.Path == path:
			if exists == (fl.c.Kind != KindDelete) && fl.c.NoImage == "" {
				b.do(record{Land: &landOp{ID: fl.id, Own: true}})
			}
			b.do(record{Close: &closeOp{ID: fl.id}})
		case exists && fl.c.From == path:
			b.do(record{Close: &closeOp{ID: fl.id}})
		}
	}
	f := b.st.files[path]
	if f == nil {
		return
	}
	b.st.compared(f)
	if exists {
		if text != f.Text && b.comesBack(f, text) {
			b.do(record{Recall: &recallOp{Path: path, Blocks: f.BlocksTo(text), Disk: true, full: text}})
		} else {
			b.shed(f, text)
		}
		if f = b.st.files[path]; f != nil {
			b.textChanged(f, text)
		}
		return
	}
	for _, fl := range b.st.flightsOf(path) {
		if fl.orphan && fl.c.Path == path {
			b.do(record{Close: &closeOp{ID: fl.id}})
		}
	}
	if f = b.st.files[path]; f != nil && f.Exists && !f.Missing {
		b.do(record{Away: &awayOp{Path: path, Missing: true}})
	}
}

// Saved says that the text as it is, is that of the file on disk. Should the buffer be closed without being saved, what is
// pending in it now is pending again.
func (b *Book) Saved(path string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f := b.st.files[path]; f != nil && f.Exists && !f.saving().is(f.Saved) {
		b.do(record{Saved: &savedOp{Path: path}})
	}
}

// Tracks says that the book needs to be told of changes of a text: TextChanged for
// any other path does nothing.
func (b *Book) Tracks(path string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.st.files[path] != nil
}

// Unsettle says that a text may have changed without anybody having seen how: a
// buffer was closed, a file was written by another program.
func (b *Book) Unsettle(path string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f := b.st.files[path]; f != nil {
		f.unsettled = true
	}
}

// Unsettled gives the files that came back from the journal, or were named to
// Unsettle, and have not been compared since with the text there is: Reconcile
// each before it is shown.
func (b *Book) Unsettled() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	seen := map[string]bool{}
	for p, f := range b.st.files {
		if f.unsettled {
			seen[p] = true
		}
	}
	for _, fl := range b.st.flights {
		if fl.orphan {
			seen[fl.c.Path] = true
		}
	}
	return sorted(seen)
}

// compared notes that a text was compared with the one there is.
func (st *state) compared(f *file) {
	if f.unseen {
		st.shown[f.Path] = true
	}
	f.unsettled, f.unseen = false, false
}

// textChanged is TextChanged with the lock held.
func (b *Book) textChanged(f *file, text string) {
	if f.Blind {
		return
	}
	path := f.Path
	b.st.compared(f)
	if f.Missing {
		b.do(record{Away: &awayOp{Path: path}})
	}
	b.arrive(f, text)
	if f = b.st.files[path]; f == nil {
		return
	}
	b.carry(f, text)
	b.userText(f, text)
}

// bring makes the text of a file what a change of the agent starts from.
func (b *Book) bring(f *file, text string, exists bool) {
	switch {
	case !exists && f.Exists:
		b.do(record{Away: &awayOp{Path: f.Path, Drop: true}})
	case exists:
		if f.Missing {
			b.do(record{Away: &awayOp{Path: f.Path}})
		}
		b.userText(f, text)
	}
}

// userText makes a text what somebody else than the agent made of it.
func (b *Book) userText(f *file, text string) {
	if f.Exists && f.Text == text {
		return
	}
	if b.comesBack(f, text) {
		b.do(record{Recall: &recallOp{Path: f.Path, Blocks: f.BlocksTo(text), full: text}})
		return
	}
	e := lines.SharedEnds(f.Text, text)
	if e.Head < len(f.Text) && f.LineAt(e.Head) == 0 && lines.OtherEnds(f.Text, text) {
		b.do(record{Ends: &endsOp{Path: f.Path, CRLF: strings.Contains(text, "\r\n")}})
		if f.Text == text {
			return
		}
		e = lines.SharedEnds(f.Text, text)
	}
	if r, ok := f.recognise(text, e); ok && !b.st.guesses(f.Path) {
		path := f.Path
		b.do(r)
		if f = b.st.files[path]; f == nil || f.Text == text {
			return
		}
		e = lines.SharedEnds(f.Text, text)
	}
	op := &userOp{Path: f.Path, Blocks: f.BlocksWithin(f.Window(text, e)), full: text}
	if ids := f.back(op.Blocks); ids != nil && f.Exists && !b.st.guesses(f.Path) {
		path := f.Path
		b.do(record{Redo: &redoOp{Path: path, IDs: ids}})
		if f = b.st.files[path]; f == nil || f.Text == text {
			return
		}
		op.Blocks = f.BlocksTo(text)
	}
	if !f.Exists && text == "" {
		op.Blocks = nil
	}
	b.do(record{User: op})
}
