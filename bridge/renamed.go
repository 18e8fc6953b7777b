package bridge

import (
	"os"
	"strings"
)

// The user creates, renames and deletes files and folders in the editor, which tells of it when it is done, in any order with
// the buffers that it opens and closes for it. What it says counts where the disk agrees. All paths are canonical. The methods
// are called on the goroutine that tells of buffers.

// FileRenamed takes in that the user renamed a file or a folder: what is pending goes along.
func (b *Bridge) FileRenamed(from, to string) {
	b.host.Wrote(from)
	b.host.Wrote(to)
	if len(b.book.Appeared(from)) == 0 && b.holds(to) {
		return // it has been told before: by the plugin that did it, and by ours
	}
	if there(to) || !there(from) { // neither: it has gone on to a third name already
		b.book.Renamed(from, to)
	}
	for _, path := range b.book.Appeared(to) {
		// A buffer that still has the old name comes under the new one next, perhaps with text that is not on disk. If it does not,
		// somebody will ask for what is pending.
		if _, open := b.overlay.Lookup(from + strings.TrimPrefix(path, to)); !open {
			b.lookAt(b.life, path)
		}
	}
	if there(from) {
		b.FileCreated(from)
	}
}

// FileDeleted takes in that the user deleted a file or a folder: nothing is left to decide.
func (b *Bridge) FileDeleted(path string) {
	b.host.Wrote(path)
	if there(path) {
		b.FileCreated(path)
		return
	}
	b.book.Removed(path)
}

// FileCreated takes in that a file or a folder is there, or there again: what is pending of it is compared with it.
func (b *Bridge) FileCreated(path string) {
	b.host.Wrote(path)
	for _, known := range b.book.Appeared(path) {
		b.lookAt(b.life, known)
	}
}

// holds says that a file has the text that the book has of it.
func (b *Bridge) holds(path string) bool {
	known, ok := b.book.Text(path)
	if !ok {
		return false
	}
	if snap, open := b.overlay.Lookup(path); open {
		return snap.Text.String() == known
	}
	snap, err := b.fs.OnDisk(b.life, path)
	return err == nil && snap.Text.String() == known
}

// there says that something has a name.
func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
