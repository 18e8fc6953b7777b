package fsproxy

import (
	"context"
	"fmt"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// Write puts a whole text into a file. What the writer started from decides what is
// kept of changes by others: the request's Base, else what Reader was served or
// wrote last. A writer that never read the file through us has either that or the
// disk's text in mind, see origin. Where the file is not
// open and has changed since Reader read it, the write is refused with ErrChanged;
// what cannot be merged is an *EditError with ErrConflict, and nothing is changed.
func (f *FS) Write(ctx context.Context, req WriteRequest) (*WriteResult, error) {
	op, err := f.write(ctx, req)
	if err != nil {
		return nil, err
	}
	r, err := f.change(ctx, op)
	if err == nil {
		f.memory.note(req.Reader, op.at.Real, text.New(req.Text), false)
	}
	return r, err
}

// Previewed is what Write or Edit would do: the file as it is, the text that would be put there, and of a Write the one that
// the writer is taken to have started from. A request with that Base does the same, whatever Reader is served meanwhile.
type Previewed struct {
	Before *Snapshot
	After  string
	Base   string
}

// Preview says what Write would do to a file that is there, as things are now, for the user to look at first. What makes
// Write refuse makes it fail in the same way. Nothing is changed or remembered.
func (f *FS) Preview(ctx context.Context, req WriteRequest) (*Previewed, error) {
	op, err := f.write(ctx, req)
	if err != nil {
		return nil, err
	}
	p, err := f.preview(ctx, op)
	if err == nil {
		p.Base, err = op.base(p.Before, req.Text)
	}
	return p, err
}

// PreviewEdit is Preview for Edit.
func (f *FS) PreviewEdit(ctx context.Context, req EditRequest) (*Previewed, error) {
	op, err := f.edit(req)
	if err != nil {
		return nil, err
	}
	return f.preview(ctx, op)
}

func (f *FS) preview(ctx context.Context, op *operation) (*Previewed, error) {
	if _, open := f.overlay.Lookup(op.at.Real); open {
		st, err := f.stateOf(ctx, op.at)
		if err != nil {
			return nil, err
		}
		cur, open := f.overlay.Lookup(op.at.Real)
		if !open {
			return nil, errAgain
		}
		after, err := op.goal(st, cur)
		return &Previewed{Before: cur, After: after}, err
	}
	cur, onDisk, err := f.unopened(ctx, op)
	if err == nil && !cur.Exists {
		err = fmt.Errorf("%s: %w", op.at.Path, ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	after, err := op.want(cur, onDisk)
	return &Previewed{Before: cur, After: after}, err
}

// write is the operation that a request stands for.
func (f *FS) write(ctx context.Context, req WriteRequest) (*operation, error) {
	at, err := f.locate(req.Path, req.Outside, req.Exact)
	if err != nil {
		return nil, err
	}
	belief, lost := f.memory.recall(req.Reader, at.Real)
	var start *Snapshot // the disk as a writer that does not read through us has just read it
	if req.Base == nil && (belief == nil || !belief.read) {
		if start, err = f.files.Disk(ctx, at); err != nil {
			start = nil // whatever is wrong with it will be found again
		}
	}
	op := &operation{at: at, label: req.Label, begin: req.Begin, again: req.Base != nil}
	if req.Mode != 0 || req.BOM {
		op.like = &Snapshot{Mode: req.Mode, BOM: req.BOM}
	}
	op.stale = func(cur *Snapshot) error {
		switch {
		case req.Base != nil:
			return nil // merged instead
		case !cur.Exists && belief != nil && belief.text.Len() == 0: // some editors show a file that is not there as an empty one
			return nil
		case lost && cur.Exists, belief != nil && belief.read && !(cur.Exists && SameText(belief.text, cur.Text)):
			return fmt.Errorf("%s %w", at.Path, ErrChanged)
		}
		return nil
	}
	op.base = func(cur *Snapshot, ours string) (string, error) {
		if req.Base != nil {
			return *req.Base, nil
		}
		from := origin{belief: belief, started: req.Started, disk: start}
		if saved, ok := f.overlay.savedText(at.Real); ok {
			from.saved = &saved
		}
		return from.of(at.Path, strings.TrimPrefix(ours, disk.BOM), cur)
	}
	op.want = func(cur, onDisk *Snapshot) (string, error) {
		ours := req.Text
		if cur.BOM || onDisk != nil && onDisk.BOM {
			ours = strings.TrimPrefix(ours, disk.BOM) // it is the file's, not the text's
		}
		if !cur.Exists {
			return ours, nil
		}
		base, err := op.base(cur, ours)
		if err != nil {
			return "", err
		}
		return f.adapted(at.Path, base, ours, cur)
	}
	return op, nil
}

// Edit replaces one text in a file by another, in the text as it is when it is the
// edit's turn; what Reader was served does not matter.
func (f *FS) Edit(ctx context.Context, req EditRequest) (*WriteResult, error) {
	op, err := f.edit(req)
	if err != nil {
		return nil, err
	}
	r, err := f.change(ctx, op)
	if err != nil {
		return nil, err
	}
	// The reader knows what it changed, not what else is new.
	if belief, _ := f.memory.recall(req.Reader, op.at.Real); belief != nil {
		if now, err := Replace(belief.text.String(), req.Old, req.New); err == nil {
			f.memory.note(req.Reader, op.at.Real, text.New(now), false)
		}
	}
	return r, nil
}

// edit is the operation that a request stands for.
func (f *FS) edit(req EditRequest) (*operation, error) {
	at, err := f.locate(req.Path, req.Outside, req.Exact)
	if err != nil {
		return nil, err
	}
	op := &operation{at: at, label: req.Label, begin: req.Begin, again: true}
	op.stale = func(cur *Snapshot) error {
		if !cur.Exists {
			return fmt.Errorf("edit %s: %w", at.Path, ErrNotExist)
		}
		return nil
	}
	op.want = func(cur, _ *Snapshot) (string, error) {
		want, err := Replace(cur.Text.String(), req.Old, req.New)
		if err != nil {
			return "", fmt.Errorf("edit %s: %w", at.Path, err)
		}
		return want, nil
	}
	return op, nil
}
