package workspace

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// ChangeKind is what happened to a file.
type ChangeKind string

const (
	Modified ChangeKind = "modified"
	Created  ChangeKind = "created"
	Deleted  ChangeKind = "deleted"
)

// Change is one file that differs from what it was when the index last looked.
type Change struct {
	Path      string // absolute
	Kind      ChangeKind
	Before    []byte // what it held, nil without HasBefore and for Created
	HasBefore bool   // the content before is known; always for Created
	After     []byte // nil for Deleted, and without HasAfter
	HasAfter  bool   // the content now is known: false for a file over MaxImage
	Mode      fs.FileMode
}

// Hints say which files are likely to change, so that their images come first in the budget.
type Hints struct {
	Open    []string // open in the editor, absolute
	Touched []string // changed by the agent, absolute
	Command string   // the command; words of it that are files count
}

// Index is what is known of the files below one folder. It is kept between commands, so that the second one pays only
// for what has changed. It is safe for concurrent use; commands that overlap share what they change.
type Index struct {
	dir string

	mu       sync.Mutex
	files    map[string]*entry
	whole    bool // every file was seen by the last look before
	started  time.Time
	bytes    int64 // of images
	look     uint64
	slack    time.Duration
	before   time.Duration
	maxBytes int64
}

// entry is one file as it was when it was last looked at.
type entry struct {
	stamp stamp
	mode  fs.FileMode
	image []byte
	known bool   // image is the content
	look  uint64 // the look that saw it last
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
	return &Index{dir: dir, files: map[string]*entry{}, slack: clockSlack, before: BeforeBudget, maxBytes: ImageBudget}, nil
}

// Before looks at the folder before a command, within the budget: first the files of the hints, then the rest, and of
// those the contents of what changed last and what is small.
func (x *Index) Before(ctx context.Context, h Hints) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	deadline := time.Now().Add(x.before)
	x.look++
	x.started = time.Now()
	for _, path := range x.hinted(h) {
		if fi, err := os.Lstat(path); err == nil && fi.Mode().IsRegular() {
			x.imageOf(path, x.see(path, fi))
		}
	}
	x.whole = true
	var fresh []string // seen, content not known
	err := Walk(ctx, x.dir, func(path string, d fs.DirEntry) error {
		if time.Now().After(deadline) {
			x.whole = false
			return ErrStop
		}
		fi, err := d.Info()
		if err != nil {
			return nil // gone meanwhile
		}
		if e := x.see(path, fi); !e.known {
			fresh = append(fresh, path)
		}
		return nil
	})
	if err != nil {
		x.whole = false
		return err
	}
	if x.whole {
		x.forgetUnseen()
	}
	slices.SortFunc(fresh, func(a, b string) int { return x.order(x.files[a], x.files[b]) })
	for _, path := range fresh {
		if time.Now().After(deadline) || x.bytes >= x.maxBytes {
			break
		}
		x.imageOf(path, x.files[path])
	}
	return ctx.Err()
}

// order puts what was changed in the last day first, newest first, then the rest by size.
func (x *Index) order(a, b *entry) int {
	day := x.started.Add(-24 * time.Hour)
	ra, rb := a.stamp.mod.After(day), b.stamp.mod.After(day)
	switch {
	case ra && rb:
		return b.stamp.mod.Compare(a.stamp.mod)
	case ra:
		return -1
	case rb:
		return 1
	}
	return int(min(max(a.stamp.size-b.stamp.size, -1), 1))
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
	var out []string
	for _, p := range paths {
		if rel, err := filepath.Rel(x.dir, p); err == nil && rel != "." && !strings.HasPrefix(rel, "..") && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// see notes a file as it is now; what was known of its content is dropped if it has changed. Caller holds mu.
func (x *Index) see(path string, fi fs.FileInfo) *entry {
	s := stampOf(fi)
	e := x.files[path]
	if e == nil {
		e = &entry{}
		x.files[path] = e
	}
	if e.stamp != s {
		x.drop(e)
		e.stamp, e.mode = s, fi.Mode()
	}
	e.look = x.look
	return e
}

func (x *Index) drop(e *entry) {
	x.bytes -= int64(len(e.image))
	e.image, e.known = nil, false
}

// imageOf reads a file's content if the budget allows. A file that changes while it is read is not known.
func (x *Index) imageOf(path string, e *entry) {
	if e.known || e.stamp.size > MaxImage || x.bytes+e.stamp.size > x.maxBytes {
		return
	}
	b, s, err := readFile(path)
	if err != nil || s != e.stamp {
		return
	}
	e.image, e.known = b, true
	x.bytes += int64(len(b))
}

func (x *Index) forgetUnseen() {
	for path, e := range x.files {
		if e.look != x.look {
			x.drop(e)
			delete(x.files, path)
		}
	}
}

// readFile reads a regular file of at most MaxImage bytes, and its stamp when it was read. It never waits: a file that
// has become a pipe meanwhile is an error.
func readFile(path string) ([]byte, stamp, error) {
	f, err := openPlain(path)
	if err != nil {
		return nil, stamp{}, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, stamp{}, err
	}
	if !fi.Mode().IsRegular() || fi.Size() > MaxImage {
		return nil, stamp{}, errors.New("not a file to keep")
	}
	var buf bytes.Buffer
	buf.Grow(int(fi.Size()) + bytes.MinRead)
	if _, err := buf.ReadFrom(io.LimitReader(f, MaxImage+1)); err != nil {
		return nil, stamp{}, err
	}
	if int64(buf.Len()) != fi.Size() {
		return nil, stamp{}, errors.New("the file changed while it was read")
	}
	return slices.Clip(buf.Bytes()), stampOf(fi), nil
}
