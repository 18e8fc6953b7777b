package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Resolved is where a path led when it was looked at. It is a statement about the
// past: every operation looks again, and works on what it opened itself.
type Resolved struct {
	Path string // as given, cleaned
	Real string // symbolic links resolved, also for what does not exist yet
	Root string // the root that holds Real, "" if none does
	Rel  string // Real relative to Root
	// Outside says no root holds Real. Exists says there is something there, not
	// that it is a regular file: Info tells.
	Outside, Exists bool
	Info            fs.FileInfo // of Real, nil if there is nothing
	// Links is how many names the file has. Saving under this one leaves the others
	// with the old text, which a question about it should say.
	Links uint64
	// Via are the symbolic links on the way, IsLink says Path itself is one, and
	// Dangling is the one that leads to nothing: such a path is never created.
	Via      []string
	IsLink   bool
	Dangling string

	// LockKey is the key under which writers of this file exclude each other. It stays
	// the same when the file is replaced. Names that differ by case or by composition
	// of accents share a key, for the file system may not tell them apart.
	LockKey string

	root *root // that of Root
}

// SameFile reports whether both are one existing file.
func (r Resolved) SameFile(o Resolved) bool {
	return r.Exists && o.Exists && os.SameFile(r.Info, o.Info)
}

// Canonical is the path under which a file is known: absolute, links resolved, also for what does not exist; what cannot be resolved
// stays as it is.
func (d *Disk) Canonical(path string) string {
	if r, err := d.Resolve(path); err == nil {
		return r.Real
	}
	return path
}

// Resolve says where path leads. Something missing is not an error, nor is a path
// that leads outside; a name that cannot be one, a loop of links, or a folder that
// may not be looked into is. Where the disk is why, not the path's own text, the
// result has Path, Real and Outside all the same, Real by name from where the look
// ended: whether there is such an obstacle is not everybody's to know.
func (d *Disk) Resolve(path string) (Resolved, error) {
	if err := checkPath(path); err != nil {
		return Resolved{}, err
	}
	path = filepath.Clean(path)
	for range maxAttempts {
		t, err := follow(path)
		if errors.Is(err, errMoved) {
			continue
		}
		if err != nil {
			r := Resolved{Path: path, Real: t.real}
			_, _, inside := d.roots.holding(t.real)
			r.Outside = !inside
			return r, err
		}
		return d.resolved(path, t), nil
	}
	return Resolved{}, keepsMoving(path)
}

func (d *Disk) resolved(path string, t trail) Resolved {
	r := Resolved{
		Path: path, Real: t.real, Exists: t.info != nil, Info: t.info,
		Via: t.via, IsLink: t.isLink, Dangling: t.dangling,
	}
	if held, rel, ok := d.roots.holding(t.real); ok {
		r.root, r.Root, r.Rel = held, held.dir, rel
		r.Real = filepath.Join(held.dir, rel)
	} else {
		r.Outside = true
	}
	if t.info != nil {
		r.Links = LinkCount(t.info)
		r.LockKey = fileID(t.info, t.real)
	}
	if t.folder != nil && (t.info == nil || !t.info.IsDir()) {
		r.LockKey = fileID(t.folder, filepath.Dir(t.real)) + "/" + norm.NFC.String(strings.ToLower(t.rest))
	}
	return r
}

// errMoved says a name did not mean the same thing in two looks at it.
var errMoved = errors.New("replaced while it was being opened")

// unsettled is the error after maxAttempts of that.
func keepsMoving(path string) error {
	return fmt.Errorf("%s: a file or folder on the way to it keeps being replaced; try again: %w", path, ErrChanged)
}
