package bridge

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// twins finds further names of a file that a rule would want to know of: control files and secrets that are hard links
// to it, or symbolic links that lead to it. nameless says that it has hard links which were not found.
func (s *Session) twins(t target) (same []string, nameless bool) {
	if t.Info == nil || !t.Info.Mode().IsRegular() {
		return nil, false
	}
	look := &twinSearch{of: t, left: maxTwinEntries}
	roots := s.roots()
	for _, dir := range ancestors(t.Real, roots) {
		look.special(dir)
	}
	if t.Links < 2 {
		return look.found, false
	}
	look.left, look.until = maxLinkEntries, time.Now().Add(linkBudget)
	for _, root := range roots {
		look.everywhere(root)
	}
	return look.found, uint64(len(look.links))+1 < t.Links
}

// ancestors are the folders from a file's own up to the session's folders, and those themselves.
func ancestors(path string, roots []string) []string {
	var out []string
	for _, root := range roots {
		for dir := filepath.Dir(path); len(dir) > len(root) && strings.HasPrefix(dir, root); dir = filepath.Dir(dir) {
			if !slices.Contains(out, dir) {
				out = append(out, dir)
			}
		}
		if !slices.Contains(out, root) {
			out = append(out, root)
		}
	}
	return out
}

// twinSearch looks for names of one file, within bounds.
type twinSearch struct {
	of    target
	found []string // names of it
	links []string // of those, hard links
	left  int      // entries that may still be looked at
	until time.Time
}

// special looks at the control files and secrets in one folder.
func (l *twinSearch) special(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		_, secret := policy.Secret(policy.Path{Given: path, Roots: []string{dir}})
		switch {
		case policy.ControlFile(e.Name()), secret:
			l.below(path)
		case policy.ControlParent(e.Name()):
			if inner, err := os.ReadDir(path); err == nil {
				for _, f := range inner {
					if _, ok := policy.Control(policy.Path{Given: filepath.Join(path, f.Name()), Roots: []string{dir}}); ok {
						l.below(filepath.Join(path, f.Name()))
					}
				}
			}
		}
	}
}

// below compares a file, or what is in a folder but the objects of a git repository, of which there are many. What
// cannot be read is passed over.
func (l *twinSearch) below(path string) {
	_ = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if l.left--; l.left < 0 {
			return filepath.SkipAll
		}
		switch {
		case err != nil:
		case d.IsDir() && d.Name() == "objects":
			return filepath.SkipDir
		case !d.IsDir():
			if fi, err := os.Stat(p); err == nil && os.SameFile(fi, l.of.Info) {
				l.add(p)
			}
		}
		return nil
	})
}

// everywhere looks for hard links in a whole folder.
func (l *twinSearch) everywhere(root string) {
	_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if l.left--; l.left < 0 || l.left%256 == 0 && time.Now().After(l.until) {
			return filepath.SkipAll
		}
		if err != nil || !d.Type().IsRegular() || p == l.of.Real || slices.Contains(l.links, p) {
			return nil
		}
		if fi, err := d.Info(); err == nil && os.SameFile(fi, l.of.Info) {
			l.links = append(l.links, p)
			l.add(p)
		}
		return nil
	})
}

func (l *twinSearch) add(path string) {
	if path != l.of.Path && path != l.of.Real && !slices.Contains(l.found, path) {
		l.found = append(l.found, path)
	}
}
