package bridge

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// secretFiles finds out whether a file that a search has come upon is one that may hold secrets under another name: reading
// it by that name is asked about, and a search cannot ask for each. It looks when something was found, and once.
type secretFiles struct {
	roots  []string
	dirs   map[string][]fs.FileInfo // what the secrets in a folder lead to
	linked []fs.FileInfo            // secrets anywhere in the session's folders that have several names
	walked bool
}

func newSecretFiles(s *Session) *secretFiles {
	return &secretFiles{roots: s.roots(), dirs: map[string][]fs.FileInfo{}}
}

// hold says whether the file at path is one of them.
func (f *secretFiles) hold(path string) bool {
	fi, err := os.Stat(path)
	if err != nil {
		return false // not on disk
	}
	for _, dir := range ancestors(path, f.roots) {
		for _, secret := range f.in(dir) {
			if os.SameFile(fi, secret) {
				return true
			}
		}
	}
	if fsproxy.LinkCount(fi) < 2 {
		return false
	}
	f.walk()
	for _, secret := range f.linked {
		if os.SameFile(fi, secret) {
			return true
		}
	}
	return false
}

// in gives the secrets in one folder, links followed.
func (f *secretFiles) in(dir string) []fs.FileInfo {
	if known, ok := f.dirs[dir]; ok {
		return known
	}
	var out []fs.FileInfo
	entries, _ := os.ReadDir(dir) // what cannot be read has nothing to find
	for _, e := range entries {
		if path := filepath.Join(dir, e.Name()); !e.IsDir() && isSecret(policy.Path{Given: path, Roots: []string{dir}}) {
			if fi, err := os.Stat(path); err == nil {
				out = append(out, fi)
			}
		}
	}
	f.dirs[dir] = out
	return out
}

// walk looks for secrets with several names in the whole of the session's folders, within the bounds of [Session.twins].
func (f *secretFiles) walk() {
	if f.walked {
		return
	}
	f.walked = true
	left, until := maxLinkEntries, time.Now().Add(linkBudget)
	for _, root := range f.roots {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if left--; left < 0 || left%256 == 0 && time.Now().After(until) {
				return filepath.SkipAll
			}
			if err != nil || !d.Type().IsRegular() || !isSecret(policy.Path{Given: path, Roots: f.roots}) {
				return nil
			}
			if fi, err := d.Info(); err == nil && fsproxy.LinkCount(fi) > 1 {
				f.linked = append(f.linked, fi)
			}
			return nil
		})
	}
}
