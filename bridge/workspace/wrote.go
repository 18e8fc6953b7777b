package workspace

import (
	"os"
	"path/filepath"
	"strings"
)

// Wrote takes a file as it is now for what it was before: the caller has written or removed the file and accounts
// for that elsewhere. A change that a command makes between the two is not told.
func (x *Index) Wrote(path string) {
	rel, err := filepath.Rel(x.dir, path)
	if err != nil || strings.HasPrefix(rel, "..") {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.look == 0 {
		return
	}
	fi, err := os.Lstat(path)
	if err != nil || !fi.Mode().IsRegular() {
		if e := x.files[path]; e != nil {
			x.drop(e)
			delete(x.files, path)
		}
		return
	}
	x.imageOf(path, x.see(path, fi))
}

// Saved is Wrote for a file that somebody else has written, unless it has another content by now: that is a command's.
func (x *Index) Saved(path string, is func(content []byte) bool) {
	if rel, err := filepath.Rel(x.dir, path); err != nil || !filepath.IsLocal(rel) {
		return
	}
	at, ok := holds(path, is)
	if !ok {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.look == 0 {
		return
	}
	if fi, err := os.Lstat(path); err == nil && fi.Mode().IsRegular() && stampOf(path, fi) == at {
		x.imageOf(path, x.see(path, fi))
	}
}

// holds says whether a file's content is what is wanted, and the stamp that goes with it; a nil is wants nothing. It needs no lock, so
// that who only asks does not wait for a look.
func holds(path string, is func(content []byte) bool) (stamp, bool) {
	if is == nil {
		return stamp{}, true
	}
	if fi, err := os.Lstat(path); err != nil || !fi.Mode().IsRegular() || fi.Size() > MaxImage {
		return stamp{}, false
	}
	now, at, err := readFile(path)
	return at, err == nil && is(now)
}
