package fsproxy

import (
	"context"
	"errors"
)

// changeBuffer edits an open buffer, and saves it if it held nothing unsaved.
func (f *FS) changeBuffer(ctx context.Context, op *operation, snap *Snapshot) (*WriteResult, error) {
	if f.editor == nil {
		return nil, &EditError{Path: op.at.Path, Outcome: Refused, Current: snap, Reason: "it offers no way to change what is open in it"}
	}
	disk, err := f.onDisk(ctx, op.at)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	unreadable := err != nil // in an encoding only the editor knows, for one; the buffer is text
	snap, open := f.overlay.Lookup(op.at.Real)
	if !open {
		return nil, errAgain
	}
	clean := !snap.Dirty && !unreadable
	moved := "" // the text on disk, where it changed under a clean buffer
	saved, _ := f.overlay.savedText(op.at.Real)
	switch {
	case !clean:
	case disk == nil && saved.Len() > 0:
		clean = false // removed on disk: saving would bring it back, which nobody asked for
	case disk != nil && !sameText(saved, disk.Text):
		moved = disk.Text.String()
	}

	t := &txn{f: f, path: op.at.Real, label: op.label, begin: op.begin, goal: func(cur *Snapshot) (string, error) {
		want, err := op.want(cur, disk)
		if err != nil || moved == "" {
			return want, err
		}
		return f.adapted(op.at.Path, saved.String(), moved, &Snapshot{Path: cur.Path, Version: cur.Version, Text: newText(want), Open: true, Exists: true})
	}}
	p, outcome, err := t.run(ctx)
	now, open := f.overlay.Lookup(op.at.Real)
	if p == nil && err == nil {
		if !open {
			return nil, errAgain
		}
		return &WriteResult{Before: now, After: now, Outcome: outcome, Saved: !now.Dirty}, nil
	}
	if p != nil && !open && (err == nil || errors.Is(err, ErrUnknown)) {
		return f.afterClose(ctx, op, p, t.before, outcome, err)
	}
	if err != nil {
		return nil, err
	}
	r := &WriteResult{Before: t.before, After: now, Outcome: outcome}
	if clean {
		f.save(ctx, op.at, p, r)
	}
	return r, nil
}

// afterClose finds out whether an edit of a buffer that was closed before it was
// saved is on disk: the editor may have saved it, or, as kak-lsp does with what is
// not open, put it there itself.
func (f *FS) afterClose(ctx context.Context, op *operation, p *plan, before *Snapshot, o Outcome, cause error) (*WriteResult, error) {
	disk, err := f.files.Read(ctx, op.at)
	switch {
	case err == nil && p.holds(disk.Text):
		if cause != nil {
			o = Merged
		}
		if cause != nil && p.is(disk.Text) {
			o = Applied
		}
		return &WriteResult{Before: before, After: disk, Outcome: o, Saved: true}, nil
	case cause != nil:
		return nil, cause
	default:
		return nil, errAgain // it went with the buffer
	}
}

// save has the editor save a buffer in which there is nothing but what was saved
// before and the change.
func (f *FS) save(ctx context.Context, at target, p *plan, r *WriteResult) {
	if !p.is(r.After.Text) {
		return // somebody is typing: what is unsaved now is theirs too
	}
	ctx, cancel := context.WithTimeout(ctx, saveTime)
	defer cancel()
	saved, err := f.saveBuffer(ctx, at)
	if err != nil && !errors.Is(err, ErrCannotSave) {
		r.Notes = append(r.Notes, "The editor did not save the file: "+err.Error())
	}
	r.Saved = saved
	if now, open := f.overlay.Lookup(at.Real); open {
		r.After = now
	} else if disk, err := f.files.Read(ctx, at); err == nil {
		r.After = disk
	}
}

// saveBuffer has the editor save the buffer at a path and looks whether it did.
func (f *FS) saveBuffer(ctx context.Context, at target) (bool, error) {
	was, open := f.overlay.Lookup(at.Real)
	if !open {
		return false, nil
	}
	saved, failed, err := f.editor.Save(ctx, []string{at.Real})
	if err == nil && len(saved) == 0 {
		err = errors.New(failed[at.Real])
		if failed[at.Real] == "" {
			err = errors.New("it gave no reason")
		}
	}
	disk, readErr := f.onDisk(ctx, at)
	switch {
	case err == nil && readErr != nil:
		return true, nil // only the editor can read what it wrote
	case readErr != nil || disk == nil:
		return false, err
	}
	if sameText(disk.Text, was.Text) {
		return true, nil // whatever it said
	}
	if err != nil {
		return false, err
	}
	// A formatter changed the text on its way to the disk; the buffer is about to
	// show the same.
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	_, err = f.overlay.Wait(ctx, at.Real, func(s *Snapshot) bool { return s == nil || sameText(s.Text, disk.Text) })
	if err != nil {
		return false, errors.New("it says it did, but the disk has another text")
	}
	f.overlay.onDisk(at.Real, disk)
	return true, nil
}
