package fsproxy

import "context"

// Source is where text is read from. The disk is one, the editor's buffers over
// the disk are another; whoever reads cannot tell and need not.
//
// Read returns the text at path, which is absolute. A path at which there is
// nothing gives an error that is ErrNotExist; text that cannot be had gives one of
// the other errors of this package. An error never comes with a Snapshot. Read may
// be called from any goroutine.
type Source interface {
	Read(ctx context.Context, path string) (*Snapshot, error)
}
