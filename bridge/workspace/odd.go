package workspace

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// odd is what is there where a file or a folder is looked for: a link, a pipe, a socket, a device.
type odd struct {
	what string // "a symbolic link to x"
	look uint64 // the look that saw it last
}

// oddOf says what is there.
func oddOf(path string, fi fs.FileInfo) string {
	switch m := fi.Mode(); {
	case m&fs.ModeSymlink != 0:
		to, err := os.Readlink(path)
		if err != nil {
			return "a symbolic link"
		}
		return fmt.Sprintf("a symbolic link to %s", to)
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "no file"
}

// seeOdd notes such an entry. Caller holds mu.
func (x *Index) seeOdd(path string, fi fs.FileInfo) {
	if _, known := x.odd[path]; !known && len(x.odd) >= maxOdd {
		x.whole = false
		return
	}
	x.odd[path] = odd{oddOf(path, fi), x.look}
}

// visitOdd compares such an entry, and brings the index up to date.
func (a *after) visitOdd(path string, fi fs.FileInfo) {
	x := a.x
	was, seen := x.odd[path]
	x.seeOdd(path, fi)
	known := seen && was.look >= x.base
	what := oddOf(path, fi)
	if known && was.what == what || !known && !a.whole && !a.moved && stampOf(path, fi).changed < x.since.UnixNano() {
		return
	}
	c := Change{Path: path, Kind: Created, HasBefore: true, Mode: fi.Mode(), Note: "it is " + what + " now"}
	old := x.files[path]
	switch {
	case old != nil:
		c.Kind = Modified
		c.Before, c.HasBefore = old.content()
		x.drop(old)
		delete(x.files, path)
	case seen || a.hadBelow(path):
		c.Kind, c.HasBefore = Modified, false
	}
	a.out = append(a.out, c)
}

// hadBelow says whether there was a folder of that name, with files in it.
func (a *after) hadBelow(path string) bool {
	for name := range a.x.files {
		if len(name) > len(path) && name[:len(path)] == path && name[len(path)] == filepath.Separator {
			return true
		}
	}
	return false
}

// missOdd tells of such entries that are gone. Where a file has come instead, that is told already.
func (a *after) missOdd() {
	x := a.x
	for path, o := range x.odd {
		if o.look == x.look {
			continue
		}
		delete(x.odd, path)
		if _, err := os.Lstat(path); o.look >= x.base && os.IsNotExist(err) {
			a.out = append(a.out, Change{Path: path, Kind: Deleted, Note: "it was " + o.what})
		}
	}
}

// modeNote says that a file's mode has changed where that counts.
func (a *after) modeNote(path string, old *entry, fi fs.FileInfo) string {
	if old.mode.Perm() == fi.Mode().Perm() || a.x.also == nil || !a.x.also(relative(a.x.dir, path)) {
		return ""
	}
	return fmt.Sprintf("its mode is %v now, it was %v", fi.Mode().Perm(), old.mode.Perm())
}
