package workspace

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// After says what has changed since the last look: a file that is new, gone, or of other content. What was only
// touched, or has only another mode, is no change, the latter but for what [Index.Also] names. The state found is the one the next look starts from.
//
// A file that no look had seen counts as changed if its times say that it was written since Before; whether it is new
// is known from the file system's own birth time where it keeps one.
//
// In folders that git ignores, what [Index.Also] names is looked for by its times. What is not told of it, or could not be
// searched, is in rest.
func (x *Index) After(ctx context.Context) (changes []Change, rest Rest, err error) {
	ctx, cancel := context.WithTimeout(ctx, AfterLimit)
	defer cancel()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.look == 0 {
		return nil, rest, nil
	}
	now := time.Now().Add(-x.slack)
	look := after{x: x, whole: x.whole, left: AfterBudget}
	x.look++
	x.whole = true
	if !look.whole { // the walk may take too long: first what is most likely to have changed
		for path, e := range x.files {
			if e.known && ctx.Err() == nil {
				look.miss(path, e)
			}
		}
	}
	also := &extras{names: x.also}
	err = walk(ctx.Err, x.dir, also, func(path string, d fs.DirEntry) error {
		if fi, err := d.Info(); err == nil && fi.Mode().IsRegular() {
			look.visit(path, fi)
		} else if err == nil {
			look.visitOdd(path, fi)
		}
		return nil
	})
	look.searchLeftOut(ctx, also.left)
	if err == nil {
		look.missOdd()
	}
	for path, e := range x.files { // hinted files that a walk leaves out, and those that are gone
		if e.look == x.look {
			continue
		}
		if ctx.Err() != nil {
			err = ctx.Err()
			break
		}
		look.miss(path, e)
	}
	out := pairMoves(look.out, x.since)
	x.whole = x.whole && err == nil && !also.cut
	x.base, x.since = x.look, now
	return out, look.rest, err
}

// AfterFile is After for one file, before the others are looked at; nil if it has not changed, or what it was is not known. Of a
// file that has gone it is not told where to. With is, a file with a content that is not that is left for After.
func (x *Index) AfterFile(path string, is func(content []byte) bool) *Change {
	if rel, err := filepath.Rel(x.dir, path); err != nil || !filepath.IsLocal(rel) {
		return nil
	}
	at, ok := holds(path, is)
	if !ok {
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.look == 0 {
		return nil
	}
	look := after{x: x, left: AfterBudget} // not as whole: a walk may leave the file out
	x.look++
	if fi, err := os.Lstat(path); err == nil && fi.Mode().IsRegular() {
		if is != nil && stampOf(path, fi) != at {
			return nil // it goes on changing
		}
		look.visit(path, fi)
	} else if e := x.files[path]; e != nil {
		look.miss(path, e)
	}
	if len(look.out) == 0 || !look.out[0].HasBefore {
		return nil
	}
	return &look.out[0]
}

// after is one look after a command.
type after struct {
	x     *Index
	whole bool  // the look before saw every file
	left  int64 // bytes of contents that may still be read
	out   []Change
	fresh map[string]bool // folders, whether they are new

	moved bool // what is looked at is in a folder that has come from elsewhere
	// Changes in folders that are left out: as they were found, and how many are told.
	found map[string]stamp
	told  int
	rest  Rest
}

// visit compares a file that is there, and brings the index up to date.
func (a *after) visit(path string, fi fs.FileInfo) {
	x, s := a.x, stampOf(path, fi)
	old := x.files[path]
	known := old != nil && old.look >= x.base // its stamp is from before the command
	if old != nil && old.look == x.look {
		return
	}
	if old != nil && (old.stamp == s || old.stamp.size == s.size && old.stamp.mod == s.mod && old.stamp.inode == s.inode && old.mode != fi.Mode()) {
		if note := a.modeNote(path, old, fi); known && note != "" {
			c := Change{Path: path, Kind: Modified, Mode: fi.Mode(), Note: note}
			if c.Before, c.HasBefore = old.content(); c.HasBefore {
				c.After, c.HasAfter = c.Before, true
			}
			a.out = append(a.out, c)
		}
		old.stamp, old.mode, old.look = s, fi.Mode(), x.look
		return
	}
	if !known && !a.whole && !a.moved && s.changed < x.since.UnixNano() {
		x.see(path, fi) // not seen before, and older than the command
		return
	}
	c := Change{Path: path, Kind: Modified, Mode: fi.Mode(), inode: s.inode}
	if known {
		c.Before, c.HasBefore = old.content()
		c.Mode, c.Remode = old.mode, old.mode != fi.Mode()
		c.Note = a.modeNote(path, old, fi)
	} else if c.born = born(path, fi); old == nil && (a.whole || c.born.After(x.since)) {
		c.Kind, c.HasBefore, c.Dirs = Created, true, a.newFolders(path)
	}
	e := x.see(path, fi)
	if s.size <= a.left {
		if now, at, err := readFile(path); err == nil {
			c.After, c.HasAfter = now, true
			a.left -= int64(len(now))
			if e != nil && at == e.stamp {
				x.setImage(e, now)
			}
		}
	}
	if c.Kind == Modified && c.HasBefore && c.HasAfter && bytes.Equal(c.Before, c.After) && c.Note == "" {
		return
	}
	a.out = append(a.out, c)
}

// newFolders are the folders above a new file that are as new as it is, outermost first.
func (a *after) newFolders(path string) (dirs []string) {
	for dir := filepath.Dir(path); len(dir) > len(a.x.dir); dir = filepath.Dir(dir) {
		fresh, known := a.fresh[dir]
		if !known {
			fi, err := os.Lstat(dir)
			fresh = err == nil && born(dir, fi).After(a.x.since)
			if a.fresh == nil {
				a.fresh = map[string]bool{}
			}
			a.fresh[dir] = fresh
		}
		if !fresh {
			break
		}
		dirs = append(dirs, dir)
	}
	slices.Reverse(dirs)
	return dirs
}

// miss looks at a file that the walk has not come by.
func (a *after) miss(path string, e *entry) {
	x := a.x
	fi, err := os.Lstat(path)
	switch {
	case err == nil && fi.Mode().IsRegular():
		a.visit(path, fi)
		return
	case e.look < x.base: // it may have gone before the command began
	case err == nil: // a link or a folder has taken its place
		c := Change{Path: path, Kind: Modified, Mode: e.mode}
		c.Before, c.HasBefore = e.content()
		a.out = append(a.out, c)
	case os.IsNotExist(err) || isNotFolder(err):
		c := Change{Path: path, Kind: Deleted, HasAfter: true, Mode: e.mode, inode: e.stamp.inode}
		c.Before, c.HasBefore = e.content()
		a.out = append(a.out, c)
	default:
		return
	}
	x.drop(e)
	delete(x.files, path)
}
