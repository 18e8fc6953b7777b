package permission

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// twins finds further names of a file that a rule would want to know of: hard links, and the names it has by links of the
// session's folders under which it is a control file or a secret. nameless says that it may have others, which were not
// found. What is outside asks anyway.
func (g *Gate) twins(search *nameSearch, t Target, op policy.Op) (same []string, nameless bool) {
	if t.Outside {
		return nil, false
	}
	nameless = !search.whole
	if t.Links > 1 && t.Info != nil && t.Info.Mode().IsRegular() {
		if op == policy.OpRead && !g.all.Rules.RestrictReads() {
			same = search.secretsThatAre(t.Info)
		} else {
			eachFile(g.Roots(), func(path string, d fs.DirEntry) {
				if path == t.Real || slices.Contains(same, path) {
					return
				}
				if fi, err := d.Info(); err == nil && os.SameFile(fi, t.Info) {
					same = append(same, path)
				}
			})
			nameless = nameless || uint64(len(same))+1 < t.Links
			same = append(same, search.ownThatAre(t.Info)...)
		}
	}
	for _, name := range append([]string{t.Real}, same...) {
		same = append(same, search.of(name)...)
	}
	if op != policy.OpRead {
		same = append(same, search.bare(t.Real)...)
	}
	return same, nameless
}

// eachFile calls f for the regular files below folders, within bounds; whole says that there are no more.
func eachFile(roots []string, f func(path string, d fs.DirEntry)) (whole bool) {
	whole = true
	left, until := maxLinkEntries, time.Now().Add(linkBudget)
	for _, root := range roots {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if left--; left < 0 || left%256 == 0 && time.Now().After(until) {
				whole = false
				return filepath.SkipAll
			}
			if err == nil && d.Type().IsRegular() {
				f(path, d)
			}
			return nil
		})
	}
	return whole
}
