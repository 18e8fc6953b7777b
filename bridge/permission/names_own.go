package permission

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// ownPlaces notes where the bridge's own configuration, state and rules are: what the link leads to that such a place is, or is
// below, and what the links in it lead to, as people keep their configuration in a folder of dotfiles. A place of which it cannot
// be said leaves the search unfinished.
func (n *nameSearch) ownPlaces() {
	n.own = n.g.all.Rules.Own()
	for _, place := range n.own {
		n.link(place, place)
		list, ok := n.g.all.listings.Read(realOf(place), n.until)
		if !ok {
			n.whole = false
		}
		for _, name := range list.Links {
			n.link(join(place, name), join(realOf(place), name))
		}
	}
}

// isOwn says whether a name is one of the bridge's own places, or below one.
func (n *nameSearch) isOwn(name string) bool {
	return slices.ContainsFunc(n.own, func(place string) bool { _, ok := policy.Below(name, place); return ok })
}

// ownThatAre are the names of files right in the bridge's own places that are hard links of a file.
func (n *nameSearch) ownThatAre(file os.FileInfo) (names []string) {
	for _, place := range n.own {
		if fi, err := os.Stat(place); err == nil && os.SameFile(fi, file) {
			names = append(names, place)
		}
		entries, _ := os.ReadDir(place) // a file, or nothing, has no entries
		for _, e := range entries {
			if fi, err := os.Stat(filepath.Join(place, e.Name())); err == nil && os.SameFile(fi, file) {
				names = append(names, filepath.Join(place, e.Name()))
			}
		}
	}
	return names
}

// realOf is a path with links resolved, and the path itself where there is nothing.
func realOf(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
