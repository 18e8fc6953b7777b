package fsproxy

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// WriteRequest is a whole text for a file.
type WriteRequest struct {
	Reader string // whose it is: what this reader was served is what it started from
	Path   string // absolute
	Text   string
	Base   *string // the text the writer started from, when the caller knows better
	// Started are texts that a writer without a Base may have started from, besides what it was served: the disk as it was
	// before it could write there itself.
	Started []string
	Label   string // for the editor's undo menu
	Outside bool   // the path may be outside the roots: permission was given
	// Exact says that the path is a Resolved.Real that somebody has decided on: if it leads elsewhere by now, through a
	// link that was put in its way, the write is refused with ErrChanged.
	Exact bool
	// Begin is called with the true before-image (Exists is false if there is no
	// file) and the text to come, just before anything is touched, and again when
	// the change had to be merged with a newer text. An error ends the change.
	Begin func(before *Snapshot, after string) error
	// Mode and BOM are for a file that is created; zero is what any new file has.
	Mode fs.FileMode
	BOM  bool
}

// EditRequest replaces one text in a file by another, see Replace.
type EditRequest struct {
	Reader, Path, Old, New, Label string
	Outside, Exact                bool
	Begin                         func(before *Snapshot, after string) error
}

// WriteResult is a change that was made.
type WriteResult struct {
	// Before is what was there just before, After what is there now: the text that
	// was wanted, and with Merged, or where a formatter ran, more than that.
	Before, After *Snapshot
	Outcome       Outcome // Applied or Merged
	Created       bool    // there was no file and no buffer
	Saved         bool    // the disk has it too
	Folders       []string
	Notes         []string // sentences for people: what could not be kept or done
}

// operation is a change of one file on its way.
type operation struct {
	at    target
	label string
	begin func(before *Snapshot, after string) error
	like  *Snapshot // mode and byte order mark of a new file
	// want gives the text wanted in place of cur. disk is what is on disk, nil if
	// nothing is; it is cur if the file is not open.
	want func(cur, onDisk *Snapshot) (string, error)
	// base gives the text that a writer of a whole text started from.
	base func(cur *Snapshot, ours string) (string, error)
	// again says that want may be asked again when others wrote to the file
	// meanwhile; else that is ErrChanged.
	again bool
	// partly says that some of the change may be in a buffer that is closed by now.
	partly bool
	// stale says why a file that is not open may not be changed, nil if it may.
	stale func(cur *Snapshot) error
}

// change makes an operation where its file is. A file that is opened, closed or
// written by others just then makes it start again.
func (f *FS) change(ctx context.Context, op *operation) (*WriteResult, error) {
	release, err := f.locks.Acquire(ctx, op.at.LockKey)
	if err != nil {
		return nil, err
	}
	defer release()
	f.touch(op.at.Real)
	for range maxRounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var r *WriteResult
		if snap, open := f.overlay.Lookup(op.at.Real); open {
			r, err = f.changeBuffer(ctx, op, snap)
		} else {
			r, err = f.changeFile(ctx, op)
		}
		if errors.Is(err, errAgain) {
			continue
		}
		if err != nil && op.partly && !errors.Is(err, ErrUnknown) {
			err = &EditError{Path: op.at.Path, Outcome: Unknown, Reason: "part of it may have been made in the editor; then: " + err.Error()}
		}
		return r, err
	}
	return nil, fmt.Errorf("%s: it keeps being changed by others while it is written: %w", op.at.Path, ErrChanged)
}

// changeFile saves a file that is not open.
func (f *FS) changeFile(ctx context.Context, op *operation) (*WriteResult, error) {
	if f.overlay.Lost(op.at.Real) {
		return nil, fmt.Errorf("write %s: nothing was changed: %w", op.at.Path, ErrLost)
	}
	cur, onDisk, err := f.unopened(ctx, op)
	if err != nil {
		return nil, err
	}
	want, err := op.want(cur, onDisk)
	if err != nil {
		return nil, err
	}
	if cur.Exists && want == cur.Text.String() {
		return &WriteResult{Before: cur, After: cur, Saved: true}, nil
	}
	if op.begin != nil {
		if err := op.begin(cur, want); err != nil {
			return nil, fmt.Errorf("write %s: nothing was changed: %w", op.at.Path, err)
		}
	}
	if _, open := f.overlay.Lookup(op.at.Real); open {
		return nil, errAgain
	}
	report := &disk.SaveReport{}
	req := disk.SaveRequest{Text: want, New: !cur.Exists, Report: report}
	if cur.Exists {
		req.Expect = new(cur.Hash())
	} else {
		req.Like = op.like
	}
	after, err := f.files.Save(ctx, op.at, cur, req)
	r := &WriteResult{Before: cur, After: after, Created: !cur.Exists, Saved: after == nil || !after.Open, Folders: report.Folders, Notes: report.Notes}
	var done *disk.SaveError
	switch {
	case errors.Is(err, ErrChanged), errors.Is(err, ErrExist):
		if op.again {
			err = errors.Join(errAgain, err)
		}
		return nil, err
	case err != nil && (after == nil || !errors.As(err, &done) || !done.Done):
		return nil, err
	case err != nil:
		r.Notes = append(r.Notes, err.Error())
	}
	f.savedOver(ctx, op.at, r)
	return r, nil
}

// unopened reads a file that the overlay does not have: as it is, and as it is on disk, nil if that cannot be had. An
// editor that is asked may have it open all the same.
func (f *FS) unopened(ctx context.Context, op *operation) (cur, onDisk *Snapshot, err error) {
	cur, err = f.files.Read(ctx, op.at)
	if errors.Is(err, ErrNotExist) && op.at.Dangling == "" {
		cur, err = &Snapshot{Path: op.at.Real, Version: VersionDisk}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if err := op.stale(cur); err != nil && !cur.Open { // what an editor has open is merged
		return nil, nil, err
	}
	switch {
	case cur.Open:
		if onDisk, err = f.files.Disk(ctx, op.at); err != nil {
			onDisk = nil
		}
	case cur.Exists:
		onDisk = cur
	}
	return cur, onDisk, nil
}

// savedOver brings a change that was just saved on disk into a buffer that was
// opened meanwhile with the text before.
func (f *FS) savedOver(ctx context.Context, at target, r *WriteResult) {
	f.late.note(at.Real, r.Before.Text, r.After.Text)
	snap, open := f.overlay.Lookup(at.Real)
	if !open || f.editor == nil {
		return
	}
	if s, late := f.late.take(at.Real, snap.Text); late {
		if err := f.bringLocked(ctx, at, s); err != nil {
			r.Notes = append(r.Notes, "The file was opened in the editor at the same time and shows the old text until it is loaded again.")
			f.log.Warn().Err(err).Str("path", at.Real).Msg("a buffer opened during a save was not brought up to date")
		}
	}
}

// adapted is adapt, with a conflict as an error.
func (f *FS) adapted(path, base, ours string, cur *Snapshot) (string, error) {
	want, conflicts := adapt(base, ours, cur.Text.String())
	if len(conflicts) > 0 {
		return "", &EditError{Path: path, Outcome: Conflict, Conflicts: conflicts}
	}
	return want, nil
}
