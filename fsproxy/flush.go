package fsproxy

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// Flush brings an open buffer to disk, with consent that somebody above was given
// for all that is unsaved in it: the editor saves it, or, where it cannot, the
// buffer's text is saved for it with the line ends that the disk has. A file that
// changed on disk under unsaved text is ErrConflict, and nothing is written, unless
// the buffer has that change too.
func (f *FS) Flush(ctx context.Context, path string) error {
	at, err := f.locate(path, true, false)
	if err != nil {
		return err
	}
	release, err := f.locks.Acquire(ctx, at.LockKey)
	if err != nil {
		return err
	}
	defer release()
	saved, known := f.overlay.savedText(at.Real)
	onDisk, unreadable := f.onDisk(ctx, at)
	snap, open := f.overlay.Lookup(at.Real)
	if !open || !snap.Dirty {
		return nil
	}
	if known && unreadable == nil && (onDisk == nil || !SameText(onDisk.Text, saved) && !holds(snap, saved, onDisk)) {
		return &EditError{Path: at.Path, Outcome: Conflict, Reason: "the file was changed on disk while the editor holds unsaved text"}
	}
	if f.editor != nil {
		ctx, cancel := context.WithTimeout(ctx, saveTime)
		done, err := f.saveBuffer(ctx, at)
		cancel()
		if done {
			return nil
		}
		if err != nil && !errors.Is(err, ErrCannotSave) {
			return fmt.Errorf("save %s: the editor did not: %w", at.Path, err)
		}
	}
	if unreadable != nil {
		return unreadable
	}
	snap, open = f.overlay.Lookup(at.Real)
	if !open {
		return nil
	}
	now := snap.Text.String()
	if onDisk != nil && onDisk.BOM {
		now = strings.TrimPrefix(now, disk.BOM) // the save keeps the file's
	}
	after, err := f.files.Save(ctx, at, nil, over(onDisk, now))
	if after != nil {
		f.overlay.onDisk(at.Real, after)
	}
	return err
}

// holds says whether a save of the buffer over a file that was changed on disk since it was saved last loses nothing: the buffer has that
// change as well. An agent that writes the disk and asks for the same edit of the buffer (opencode 1.18) leaves such files.
func holds(buffer *Snapshot, saved text.Text, onDisk *Snapshot) bool {
	now := buffer.Text.String()
	merged, conflicts := adapt(saved.String(), onDisk.Text.String(), now)
	return len(conflicts) == 0 && merged == now
}

// SaveUnsaved puts on disk what a remote editor has unsaved in a file, as its own save would.
func (f *FS) SaveUnsaved(ctx context.Context, path string) error {
	at, err := f.locate(path, true, true)
	if err != nil || f.remote == nil {
		return err
	}
	snap, err := f.files.Read(ctx, at)
	if err != nil || !snap.Dirty {
		return err
	}
	onDisk, err := f.files.Disk(ctx, at)
	if err != nil && !errors.Is(err, ErrNotExist) {
		return err
	}
	if _, err := f.remote.diskFiles.Save(ctx, at, nil, over(onDisk, snap.Text.String())); err != nil {
		return err
	}
	f.remote.note(at.Real, false)
	return nil
}

// over is a save of an editor's text over what is on disk, nil if nothing is: with the line ends that the file has.
func over(onDisk *Snapshot, s string) disk.SaveRequest {
	if onDisk == nil {
		return disk.SaveRequest{Text: s, New: true}
	}
	was := onDisk.Text.String()
	return disk.SaveRequest{Text: withEnds(was, s, endFor(was)), Expect: new(onDisk.Hash())}
}
