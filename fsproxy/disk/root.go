package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// root is a folder of the session, held open: the agent's files are those below
// the handle, not those below a name.
type root struct {
	dir    string // absolute, no symbolic links
	handle *os.Root
	info   fs.FileInfo // of the handle
}

// openRoot opens the folder dir, following symbolic links: the user named it.
func openRoot(dir string) (*root, error) {
	if err := checkPath(dir); err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, fmt.Errorf("open root %s: %w", dir, errno(err))
	}
	handle, err := os.OpenRoot(real)
	if err != nil {
		return nil, fmt.Errorf("open root %s: %w", dir, errno(err))
	}
	info, err := handle.Stat(".")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open root %s: %w", dir, errno(err)), handle.Close())
	}
	return &root{dir: real, handle: handle, info: info}, nil
}

// roots is the set of open roots. It is safe for concurrent use.
type roots struct {
	mu     sync.RWMutex
	list   []*root
	closed bool
}

func (s *roots) add(dir string) error {
	r, err := openRoot(dir)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errors.Join(fmt.Errorf("open root %s: %w", dir, fs.ErrClosed), r.handle.Close())
	}
	for i, old := range s.list {
		if os.SameFile(old.info, r.info) {
			return r.handle.Close()
		}
		if old.dir == r.dir {
			// The folder was replaced since it was opened, and the user names it again.
			s.list[i] = r
			return old.handle.Close()
		}
	}
	s.list = append(s.list, r)
	return nil
}

func (s *roots) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	var errs []error
	for _, r := range s.list {
		errs = append(errs, r.handle.Close())
	}
	s.list = nil
	return errors.Join(errs...)
}

// holding returns the innermost root that holds the real path, and the path
// relative to it.
func (s *roots) holding(real string) (*root, string, bool) {
	s.mu.RLock()
	list := slices.Clone(s.list)
	s.mu.RUnlock()
	slices.SortStableFunc(list, func(a, b *root) int { return len(b.dir) - len(a.dir) })
	for _, r := range list {
		if rel, ok := below(r.dir, real); ok {
			return r, rel, true
		}
	}
	// Another spelling of a root's own path, where the file system does not care
	// for upper and lower case: only the identity of the folder tells.
	var rest []string
	for dir := real; ; {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() {
			for _, r := range list {
				if os.SameFile(info, r.info) {
					return r, filepath.Join(append([]string{"."}, rest...)...), true
				}
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil, "", false
		}
		rest = slices.Insert(rest, 0, filepath.Base(dir))
		dir = parent
	}
}

// below returns real relative to dir, and whether it is dir or below it. Both are
// clean. Never by comparing prefixes: /w/proj does not hold /w/proj-evil.
func below(dir, real string) (string, bool) {
	rel, err := filepath.Rel(dir, real)
	if err != nil || rel != "." && !filepath.IsLocal(rel) {
		return "", false
	}
	return rel, true
}

// parts splits a clean relative path, "." into none.
func parts(rel string) []string {
	if rel == "." || rel == "" {
		return nil
	}
	return strings.Split(rel, string(filepath.Separator))
}
