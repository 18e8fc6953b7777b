package workspace

import (
	"crypto/sha256"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// ChangeKind is what happened to a file.
type ChangeKind string

const (
	Modified ChangeKind = "modified"
	Created  ChangeKind = "created"
	Deleted  ChangeKind = "deleted"
	Moved    ChangeKind = "moved" // it has another name, and perhaps another content
)

// Change is one file that differs from what it was when the index last looked.
type Change struct {
	Path      string // absolute
	From      string // Moved: its path before
	Kind      ChangeKind
	Before    []byte      // what it held, nil without HasBefore and for Created
	HasBefore bool        // the content before is known; always for Created
	After     []byte      // nil for Deleted, and without HasAfter
	HasAfter  bool        // the content now is known: false for a file over MaxImage, or when very much has changed
	Mode      fs.FileMode // Modified, Deleted: before
	Remode    bool        // Modified: it is another one now
	Note      string      // what its content does not show, of what [Index.Also] names: "it is a symbolic link to x now"
	Dirs      []string    // Created, Moved: folders above that are new too, outermost first, where the file system tells

	inode uint64
	born  time.Time // of a file that is there; zero where it is not known
}

// pairMoves finds the files that went away in one place and came up in another: the same file by its inode if it is
// older than the command (an inode may be used anew at once), or one of the same content.
func pairMoves(cs []Change, since time.Time) []Change {
	gone := map[uint64]int{}
	held := map[[32]byte]int{}
	for i, c := range cs {
		if c.Kind != Deleted {
			continue
		}
		if c.inode != 0 {
			gone[c.inode] = i
		}
		if c.HasBefore && len(c.Before) > 0 {
			held[sha256.Sum256(c.Before)] = i
		}
	}
	if len(gone)+len(held) == 0 {
		return cs
	}
	for i := range cs {
		c := &cs[i]
		if c.Kind != Created {
			continue
		}
		var from int
		var ok bool
		if !c.born.IsZero() && c.born.Before(since) {
			from, ok = gone[c.inode]
		}
		if !ok && c.HasAfter && len(c.After) > 0 {
			from, ok = held[sha256.Sum256(c.After)]
		}
		if !ok || cs[from].Kind != Deleted {
			continue
		}
		was := &cs[from]
		c.Kind, c.From, c.Before, c.HasBefore = Moved, was.Path, was.Before, was.HasBefore
		was.Kind = "" // told with the other
	}
	cs = slices.DeleteFunc(cs, func(c Change) bool { return c.Kind == "" })
	slices.SortFunc(cs, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return cs
}
