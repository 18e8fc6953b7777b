package tracking

import (
	"os"
	"strings"
)

// The user creates, renames and deletes files and folders in the editor, which tells of it when it is done, in any order with
// the buffers that it opens and closes for it. What it says counts where the disk agrees. All paths are canonical. The methods
// are called on the goroutine that tells of buffers.

// FileRenamed takes in that the user renamed a file or a folder: what is pending goes along.
func (t *Tracker) FileRenamed(from, to string) {
	t.cfg.Host.Wrote(from)
	t.cfg.Host.Wrote(to)
	if len(t.cfg.Book.Appeared(from)) == 0 && t.holds(to) {
		return // it has been told before: by the plugin that did it, and by ours
	}
	if there(to) || !there(from) { // neither: it has gone on to a third name already
		t.cfg.Book.Renamed(from, to)
	}
	for _, path := range t.cfg.Book.Appeared(to) {
		// A buffer that still has the old name comes under the new one next, perhaps with text that is not on disk. If it does not,
		// somebody will ask for what is pending.
		if _, open := t.cfg.Overlay.Lookup(from + strings.TrimPrefix(path, to)); !open {
			t.lookAt(t.cfg.Life, path)
		}
	}
	if there(from) {
		t.FileCreated(from)
	}
}

// FileDeleted takes in that the user deleted a file or a folder: nothing is left to decide.
func (t *Tracker) FileDeleted(path string) {
	t.cfg.Host.Wrote(path)
	if there(path) {
		t.FileCreated(path)
		return
	}
	t.cfg.Book.Removed(path)
}

// FileCreated takes in that a file or a folder is there, or there again: what is pending of it is compared with it.
func (t *Tracker) FileCreated(path string) {
	t.cfg.Host.Wrote(path)
	for _, known := range t.cfg.Book.Appeared(path) {
		t.lookAt(t.cfg.Life, known)
	}
}

// holds says that a file has the text that the book has of it.
func (t *Tracker) holds(path string) bool {
	known, ok := t.cfg.Book.Text(path)
	if !ok {
		return false
	}
	if snap, open := t.cfg.Overlay.Lookup(path); open {
		return snap.Text.String() == known
	}
	snap, err := t.cfg.FS.OnDisk(t.cfg.Life, path)
	return err == nil && snap.Text.String() == known
}

// there says that something has a name.
func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
