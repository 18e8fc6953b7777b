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
//  4. A path is a handle. Symbolic links are resolved here, decisions are made on
//     where they lead, and what is swapped afterwards is noticed. A path outside the
//     roots is served only to somebody who was allowed that very path.
//  5. A file on disk is whole at every moment: the old one or the new one.
//
// Whether a change may be made at all is decided above; this package is told.
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
