// Package fsproxy is the one way to files: the editor's buffers over a confined
// disk. It reads, writes, merges, saves and watches, and knows neither the agent's
// protocol nor the editor's.
//
// Rules that hold:
//
//  1. An open buffer is the file. The disk is read for what no editor has open.
//  2. Text is kept byte for byte: line ends, byte order mark, missing final newline
//     and mode. What is not UTF-8 is an error, never a guess.
//  3. Nobody's text is lost. A writer says what it started from; if that is no
//     longer what is there, the change is merged or refused.
//
// What holds of paths and of files on disk is said in package disk.
//
// Whether a change may be made at all is decided above; this package is told.
package fsproxy

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// Source is where the text below the buffers is read from: the disk.
//
// Read returns the text at path, which is absolute. A path at which there is
// nothing gives an error that is ErrNotExist; text that cannot be had gives one of
// the other errors of package disk. An error never comes with a Snapshot. Read may
// be called from any goroutine.
type Source interface {
	Read(ctx context.Context, path string) (*Snapshot, error)
}

// Snapshot is what package disk reads.
type Snapshot = disk.Snapshot

// VersionDisk is the Version of a Snapshot that no editor has given one.
const VersionDisk = disk.VersionDisk

// What is wrong with a path, as package disk says it.
var (
	ErrNotExist   = disk.ErrNotExist
	ErrExist      = disk.ErrExist
	ErrNotRegular = disk.ErrNotRegular
	ErrChanged    = disk.ErrChanged
)
