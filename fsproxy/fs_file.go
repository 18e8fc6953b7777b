package fsproxy

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// ChangeRequest is a change of a file as a whole: removing or renaming it.
type ChangeRequest struct {
	Path           string
	Outside, Exact bool
	// Begin is called with the file as it is, just before it is touched.
	Begin func(before *Snapshot, after string) error
}

// Remove removes the file at req.Path from the disk, if its text is expect; else
// it is ErrChanged. A buffer with unsaved text is in the way (ErrConflict): its
// text would be all that is left, and the next save would bring the file back.
func (f *FS) Remove(ctx context.Context, req ChangeRequest, expect string) error {
	return f.whole(ctx, req, req.Path, func(at, _ target, cur *Snapshot) error {
		if !SameText(cur.Text, text.New(expect)) {
			return fmt.Errorf("remove %s: it %w", at.Path, ErrChanged)
		}
		if req.Begin != nil {
			if err := req.Begin(cur, ""); err != nil {
				return fmt.Errorf("remove %s: nothing was changed: %w", at.Path, err)
			}
		}
		return f.files.Remove(ctx, at, new(cur.Hash()))
	})
}

// Restore puts a file with req's text on disk where there is none (else it is ErrExist), byte for byte. A buffer of that name
// which is empty gets the text too; one that holds anything is left alone: that is unsaved text of the user's.
func (f *FS) Restore(ctx context.Context, req WriteRequest) (*WriteResult, error) {
	at, err := f.locate(req.Path, req.Outside, req.Exact)
	if err != nil {
		return nil, err
	}
	release, err := f.locks.Acquire(ctx, at.LockKey)
	if err != nil {
		return nil, err
	}
	defer release()
	f.touch(at.Real)
	report := &disk.SaveReport{}
	after, err := f.files.Save(ctx, at, nil, disk.SaveRequest{Text: req.Text, New: true, Like: &Snapshot{Mode: req.Mode, BOM: req.BOM}, Report: report})
	var done *disk.SaveError
	if err != nil && (after == nil || !errors.As(err, &done) || !done.Done) {
		return nil, err
	}
	r := &WriteResult{Before: &Snapshot{Path: at.Real, Version: VersionDisk}, After: after, Created: true, Saved: true, Folders: report.Folders, Notes: report.Notes}
	f.savedOver(ctx, at, r)
	return r, nil
}

// Exact makes the text of the file at path want, to the byte and with a byte order mark if mark says so, if it is that but
// for its line ends and the last one, as an editor may have saved it, and the mark; else it does nothing. A nil want is the
// text that the file has, and a mode of 0 the one it has.
func (f *FS) Exact(ctx context.Context, path string, want *string, mark bool, mode fs.FileMode) error {
	at, err := f.locate(path, true, false)
	if err != nil {
		return err
	}
	release, err := f.locks.Acquire(ctx, at.LockKey)
	if err != nil {
		return err
	}
	defer release()
	onDisk, err := f.onDisk(ctx, at)
	if err != nil || onDisk == nil {
		return err
	}
	now := onDisk.Text.String()
	if want == nil {
		want = &now
	}
	sameMode := mode == 0 || mode.Perm() == onDisk.Mode.Perm()
	if *want == now && mark == onDisk.BOM && sameMode || !SameText(onDisk.Text, text.New(*want)) {
		return nil
	}
	_, err = f.files.Save(ctx, at, nil, disk.SaveRequest{Text: *want, Expect: new(onDisk.Hash()), Like: &Snapshot{BOM: mark}, Mode: mode})
	return err
}

// Rename gives the file at req.Path the name to, under which there must be nothing.
// Unsaved text is in the way as it is for Remove.
func (f *FS) Rename(ctx context.Context, req ChangeRequest, to string) error {
	return f.whole(ctx, req, to, func(at, dest target, cur *Snapshot) error {
		if _, open := f.overlay.Lookup(dest.Real); open {
			return fmt.Errorf("rename %s: %s is open in the editor: %w", at.Path, dest.Path, ErrExist)
		}
		if req.Begin != nil {
			if err := req.Begin(cur, cur.Text.String()); err != nil {
				return fmt.Errorf("rename %s: nothing was changed: %w", at.Path, err)
			}
		}
		return f.files.Rename(ctx, at, dest, new(cur.Hash()))
	})
}

// whole runs do with the locks of a file and of where it goes, and with its text.
func (f *FS) whole(ctx context.Context, req ChangeRequest, to string, do func(at, dest target, cur *Snapshot) error) error {
	at, err := f.locate(req.Path, req.Outside, req.Exact)
	if err != nil {
		return err
	}
	dest, err := f.locate(to, req.Outside, false)
	if err != nil {
		return err
	}
	if at.IsLink {
		return fmt.Errorf("%s: it is %w to %s; name that file itself", at.Path, disk.ErrLink, at.Real)
	}
	release, err := f.locks.Acquire(ctx, at.LockKey, dest.LockKey)
	if err != nil {
		return err
	}
	defer release()
	if f.overlay.Lost(at.Real) {
		return fmt.Errorf("%s: nothing was changed: %w", at.Path, ErrLost)
	}
	cur, err := f.onDisk(ctx, at)
	if err == nil && cur == nil {
		err = fmt.Errorf("%s: %w", at.Path, ErrNotExist)
	}
	if err != nil {
		return err
	}
	if snap, open := f.overlay.Lookup(at.Real); open && snap.Dirty {
		return &EditError{Path: at.Path, Outcome: Conflict, Reason: "it is open in the editor with unsaved text"}
	}
	if err := do(at, dest, cur); err != nil {
		return err
	}
	f.touch(at.Real)
	f.touch(dest.Real)
	f.memory.forget(func(b belief) bool { return b.path == at.Real || b.path == dest.Real })
	return nil
}
