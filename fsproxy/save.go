package fsproxy

import (
	"context"
	"errors"
)

// SaveRequest is a text to put on disk.
type SaveRequest struct {
	// Text is without a byte order mark, unless it is to begin with two.
	Text string
	// Like, if not nil, says whether there is to be a byte order mark, and the mode
	// of a file that does not exist. Without it both stay as they are on disk; a new
	// file has no mark, and mode 0644 less the umask.
	Like *Snapshot
	// Expect is the hash of the text the writer started from. When the disk has
	// another text, or none, the save is refused with ErrChanged. Nil: not checked.
	Expect *Hash
	// New says the file must not exist yet; if it does, the save is refused with
	// ErrExist, also when it appears at the last moment.
	New bool
	// Report, if not nil, is filled in, whether or not the save succeeds.
	Report *SaveReport
}

// SaveReport is what a save did besides putting the text there.
type SaveReport struct {
	Folders []string // folders that were created, outermost first
	Links   uint64   // other names of the file, which keep the old text
	Notes   []string // sentences: what of the old file could not be kept
}

// Save puts the text of req at path, whole or not at all, and returns what is there
// now. A symbolic link stays and its target gets the text. Folders on the way are
// made, inside the roots only. A read-only file is refused.
func (d *Disk) Save(ctx context.Context, path string, req SaveRequest) (*Snapshot, error) {
	return nil, errors.New("not yet")
}

// Remove removes the file at path, if expect is nil or is the hash of its text. A
// symbolic link is refused: the path says one thing and the link another.
func (d *Disk) Remove(ctx context.Context, path string, expect *Hash) error {
	return errors.New("not yet")
}

// RenameRequest is how a file is to be renamed.
type RenameRequest struct {
	Expect *Hash       // of the text of the file, nil: not checked
	Report *SaveReport // folders created, if not nil
}

// Rename gives the file at from the name to, under which there must be nothing.
// Folders on the way to it are made, inside the roots only.
func (d *Disk) Rename(ctx context.Context, from, to string, req RenameRequest) error {
	return errors.New("not yet")
}
