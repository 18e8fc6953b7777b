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
		if op == policy.OpRead {
			same = search.secretsThatAre(t.Info)
		} else {
			look := &linkSearch{of: t, left: maxLinkEntries, until: time.Now().Add(linkBudget)}
			for _, root := range g.Roots() {
				look.everywhere(root)
			}
			same = look.links
			nameless = nameless || uint64(len(same))+1 < t.Links
		}
	}
	for _, name := range append([]string{t.Real}, same...) {
		same = append(same, search.of(name)...)
	}
	if op != policy.OpRead {
		same = append(same, g.bare(t.Real)...)
	}
	return same, nameless
}

// linkSearch looks for hard links of one file, within bounds.
type linkSearch struct {
	of    Target
	links []string
	left  int // entries that may still be looked at
	until time.Time
}

// everywhere looks through a whole folder.
func (l *linkSearch) everywhere(root string) {
	_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if l.left--; l.left < 0 || l.left%256 == 0 && time.Now().After(l.until) {
			return filepath.SkipAll
		}
		if err != nil || !d.Type().IsRegular() || p == l.of.Real || slices.Contains(l.links, p) {
			return nil
		}
		if fi, err := d.Info(); err == nil && os.SameFile(fi, l.of.Info) {
			l.links = append(l.links, p)
		}
		return nil
	})
}
