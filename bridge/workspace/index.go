package workspace

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Hints say which files are likely to change, so that their images come first in the budget.
type Hints struct {
	Open    []string // open in the editor, absolute
	Touched []string // changed by the agent, absolute
	Command string   // the command; words of it that are files count
}

// Index is what is known of the files below one folder. It is kept between commands, so that the second one pays only
// for what has changed. It is safe for concurrent use; commands that overlap share what they change.
type Index struct {
	dir  string
	also func(rel string) bool

	mu       sync.Mutex
	files    map[string]*entry
	odd      map[string]odd   // what is there instead of a file, at names that also says
	listings Listings         // of the folders that a walk leaves out
	leftOut  map[string]stamp // what the last look has found changed in those
	clones   clones
	whole    bool   // every file was seen by the look that base names
	look     uint64 // counts looks
	base     uint64 // what was seen since this look is as it was when the commands that run began
	since    time.Time
	bytes    int64        // of images
	holds    atomic.Int32 // commands that run; changed with mu held
	slack    time.Duration
	before   time.Duration
	always   int // entries that a look before a command looks at however long it takes
	maxBytes int64
	maxFiles int

	maxLeftOut int
}

// entry is one file as it was when it was last looked at.
type entry struct {
	stamp stamp
	mode  fs.FileMode
	known bool     // the content is known: image, or clone
	image []byte   //
	clone *os.File // a copy that shares the file's blocks
	look  uint64   // the look that saw it last
}

// NewIndex makes an index of a folder. It reads nothing yet.
func NewIndex(dir string) (*Index, error) {
	fi, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !fi.IsDir() {
		return nil, &fs.PathError{Op: "index", Path: dir, Err: errors.New("not a folder")}
	}
	return &Index{
		dir: dir, files: map[string]*entry{}, odd: map[string]odd{}, slack: clockSlack, before: BeforeBudget, always: beforeAlways, maxBytes: ImageBudget, maxFiles: MaxFiles, maxLeftOut: maxLeftOutFolders,
	}, nil
}

// CloneInto names a private folder for images of larger files. Where it is on the same file system and that one can
// share blocks between files (Btrfs, XFS), they cost neither memory nor disk; elsewhere nothing changes.
func (x *Index) CloneInto(dir string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.clones.dir = dir
}

// Also names files and folders, by their path relative to the index's folder, with slashes, that count although git ignores
// them, and of .git what makes git run something. Of those a link, a pipe, a socket or a device counts as well, and a
// change of the mode. To be called before the first look.
func (x *Index) Also(rel func(string) bool) {
	x.also = rel
	x.listings.Want = func(path string) bool { return rel(relative(x.dir, path)) }
}

// Close lets go of the images.
func (x *Index) Close() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for path, e := range x.files {
		x.drop(e)
		delete(x.files, path)
	}
	clear(x.odd)
	x.whole = false
}

// Hold says that a command is about to run, until release: what changes from now on may be its doing, and a look before
// another command leaves it to be found. Called after Before.
func (x *Index) Hold() (release func()) {
	x.mu.Lock()
	x.holds.Add(1)
	x.mu.Unlock()
	return sync.OnceFunc(func() {
		x.mu.Lock()
		x.holds.Add(-1)
		x.mu.Unlock()
	})
}

// Held says whether a command may be changing files (see Hold). It waits for no look.
func (x *Index) Held() bool { return x.holds.Load() > 0 }

// Before looks at the folder before a command, within the budget: first the files of the hints, then those whose content
// is known already, then the rest, and of those the contents of what changed last and what is small.
func (x *Index) Before(ctx context.Context, h Hints) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	left := &allowance{deadline: time.Now().Add(x.before), entries: x.always}
	if x.Held() {
		x.beside(h, left)
		return ctx.Err()
	}
	partly := !x.whole
	x.look++
	x.base, x.since = x.look, time.Now().Add(-x.slack)
	for _, path := range x.hinted(h) {
		if fi, err := os.Lstat(path); err == nil && fi.Mode().IsRegular() && !left.spent() {
			x.imageOf(path, x.see(path, fi))
		}
	}
	if partly { // the walk will not come by all of them
		x.refresh(left)
	}
	fresh, err := x.survey(ctx, &allowance{deadline: left.deadline.Add(-x.before / 4), entries: x.always})
	slices.SortFunc(fresh, func(a, b found) int { return x.order(a.entry, b.entry) })
	for _, f := range fresh {
		if left.spent() || !x.room() {
			break
		}
		x.imageOf(f.path, f.entry)
	}
	return err
}

// Image is the content of a file as it was when the commands that run began, or as it was when it was last said to be ours
// (see Wrote); false where that is not known.
func (x *Index) Image(path string) ([]byte, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	e := x.files[path]
	if e == nil || !e.known {
		return nil, false
	}
	return e.content()
}

// found is a file whose content is not known yet.
type found struct {
	path  string
	entry *entry
}

// allowance is what a look before a command may take: so many entries in any case, that a small folder is known whole on a
// machine however busy, and more until the deadline.
type allowance struct {
	deadline time.Time
	entries  int
}

// spent takes an entry from the allowance; true if there is none left.
func (a *allowance) spent() bool {
	a.entries--
	return a.entries < 0 && time.Now().After(a.deadline)
}

// survey walks the folder as far as it may. It returns what a content is still to be read of. Caller holds mu.
func (x *Index) survey(ctx context.Context, left *allowance) (fresh []found, err error) {
	x.whole = true
	over := func() error {
		if left.spent() {
			return context.DeadlineExceeded
		}
		return ctx.Err()
	}
	also := &extras{names: x.also}
	err = walk(over, x.dir, also, func(path string, d fs.DirEntry) error {
		if err := over(); err != nil {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return nil // gone meanwhile
		}
		if !fi.Mode().IsRegular() {
			x.seeOdd(path, fi)
			return nil
		}
		if e := x.see(path, fi); e != nil && !e.known && e.stamp.size <= MaxImage {
			fresh = append(fresh, found{path, e})
		}
		return nil
	})
	x.whole = x.whole && !also.cut
	switch {
	case err == nil && x.whole:
		x.forgetUnseen()
	case err != nil:
		x.whole = false
	}
	return fresh, ctx.Err()
}

// refresh looks at the files whose content is known. Caller holds mu.
func (x *Index) refresh(left *allowance) {
	for path, e := range x.files {
		if !e.known || e.look == x.look {
			continue
		}
		if left.spent() {
			return
		}
		if fi, err := os.Lstat(path); err == nil && fi.Mode().IsRegular() {
			x.see(path, fi)
		} else {
			x.drop(e)
			delete(x.files, path)
		}
	}
}

// beside is a look while a command runs: it only reads what is still as it was. Caller holds mu.
func (x *Index) beside(h Hints, left *allowance) {
	for _, path := range x.hinted(h) {
		e := x.files[path]
		if e == nil || e.look < x.base || left.spent() {
			continue
		}
		if fi, err := os.Lstat(path); err == nil && stampOf(path, fi) == e.stamp {
			x.imageOf(path, e)
		}
	}
}

// order puts what was changed in the last day first, newest first, then the rest by size.
func (x *Index) order(a, b *entry) int {
	day := x.since.Add(-24 * time.Hour).UnixNano()
	ra, rb := a.stamp.mod > day, b.stamp.mod > day
	switch {
	case ra && rb:
		return cmp.Compare(b.stamp.mod, a.stamp.mod)
	case ra:
		return -1
	case rb:
		return 1
	}
	return cmp.Compare(a.stamp.size, b.stamp.size)
}

// hinted are the files of the hints that are below the folder, without doubles.
func (x *Index) hinted(h Hints) []string {
	paths := append(slices.Clone(h.Open), h.Touched...)
	for _, w := range strings.FieldsFunc(h.Command, func(r rune) bool { return strings.ContainsRune(" \t\n;|&<>()'\"`=", r) }) {
		if !filepath.IsAbs(w) {
			w = filepath.Join(x.dir, w)
		}
		paths = append(paths, filepath.Clean(w))
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(paths, func(p string) bool {
		rel, err := filepath.Rel(x.dir, p)
		if err != nil || rel == "." || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) || seen[p] {
			return true
		}
		seen[p] = true
		return false
	})
}

// see notes a file as it is now; what was known of its content is dropped if it has changed. Nil means that there are
// too many files to know them all. Caller holds mu.
func (x *Index) see(path string, fi fs.FileInfo) *entry {
	s := stampOf(path, fi)
	e := x.files[path]
	if e == nil {
		if len(x.files) >= x.maxFiles {
			x.whole = false
			return nil
		}
		e = &entry{}
		x.files[path] = e
	}
	if e.stamp != s {
		x.drop(e)
		e.stamp = s
	}
	e.mode, e.look = fi.Mode(), x.look
	return e
}

func (x *Index) forgetUnseen() {
	for path, o := range x.odd {
		if o.look != x.look {
			delete(x.odd, path)
		}
	}
	for path, e := range x.files {
		if e.look != x.look {
			x.drop(e)
			delete(x.files, path)
		}
	}
}
