package workspace

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// After says what has changed since the last look: a file that is new, gone, or of other content. What was only
// touched is no change. The state found is the one the next look starts from.
//
// A file that no look had seen counts as changed if its times say that it was written since Before; whether it is new
// is known from the file system's own birth time where it keeps one.
func (x *Index) After(ctx context.Context) ([]Change, error) {
	ctx, cancel := context.WithTimeout(ctx, AfterLimit)
	defer cancel()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.look == 0 {
		return nil, nil
	}
	whole := x.whole
	x.look++
	since := x.started.Add(-x.slack)
	var out []Change
	visit := func(path string, fi fs.FileInfo) {
		if c, ok := x.compare(path, fi, since, whole); ok {
			out = append(out, c)
		}
	}
	err := Walk(ctx, x.dir, func(path string, d fs.DirEntry) error {
		if fi, err := d.Info(); err == nil {
			visit(path, fi)
		}
		return nil
	})
	for path, e := range x.files { // hinted files that a walk leaves out, and those that are gone
		if e.look == x.look {
			continue
		}
		fi, lerr := os.Lstat(path)
		switch {
		case lerr == nil && fi.Mode().IsRegular():
			visit(path, fi)
		case lerr != nil && os.IsNotExist(lerr):
			out = append(out, Change{Path: path, Kind: Deleted, Before: e.image, HasBefore: e.known, HasAfter: true, Mode: e.mode})
			x.drop(e)
			delete(x.files, path)
		}
	}
	x.started = time.Now()
	slices.SortFunc(out, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return out, err
}

// compare says whether one file has changed, and brings the index up to date. Caller holds mu.
func (x *Index) compare(path string, fi fs.FileInfo, since time.Time, whole bool) (Change, bool) {
	s := stampOf(fi)
	old := x.files[path]
	if old != nil && old.stamp == s {
		old.look = x.look
		return Change{}, false
	}
	if old == nil && !whole && s.changed.Before(since) {
		x.see(path, fi) // not seen before, and older than the command
		return Change{}, false
	}
	c := Change{Path: path, Kind: Modified, Mode: fi.Mode()}
	if old != nil {
		c.Before, c.HasBefore = old.image, old.known
	} else if whole || born(path, fi).After(since) {
		c.Kind, c.HasBefore = Created, true
	}
	e := x.see(path, fi)
	now, _, err := readFile(path)
	if err == nil {
		c.After, c.HasAfter = now, true
		x.imageOf(path, e)
	}
	if c.Kind == Modified && c.HasBefore && c.HasAfter && bytes.Equal(c.Before, c.After) {
		return Change{}, false
	}
	return c, true
}
