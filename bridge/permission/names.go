package permission

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// alias is a second name of a file or folder: a link, or what a file of git names, under a name that the rules know.
// What is below the target has a name below the alias.
type alias struct {
	name   string      // absolute
	target string      // where it leads, also where there is nothing yet
	info   fs.FileInfo // of the target, nil if there is nothing
}

// nameSearch finds all aliases of a session's folders. It goes through each folder, by what is kept of it as long as it has
// not changed, and through what a link of a name that matters leads to under that name as well: .config -> cfg makes
// cfg/git a control folder, and a link in it one too.
type nameSearch struct {
	g       *Gate
	roots   []string
	tops    []string // the folders that are searched whole, and the repositories they are in
	until   time.Time
	todo    []searched
	seen    map[string]bool // folders under the names of links
	aliases []alias
	files   []string               // regular files that may hold secrets
	own     []string               // the bridge's own places, see [policy.Engine.Protect]
	user    []workspace.GitSetting // of all repositories, read when it is needed
	whole   bool                   // everything was looked at, and it is known where it leads
	coming  []string               // files, links resolved, that are not there and come with the one that is decided about
}

// searched is a folder that is still to be looked at.
type searched struct {
	name, dir string // the name it is looked at under, and its own
	shallow   bool   // only what matters by its own name
}

// searchNames looks through the folders of the session and of the editor. It is called once for each decision, on the
// goroutine of the request.
func (g *Gate) searchNames() *nameSearch {
	n := &nameSearch{g: g, roots: g.Roots(), until: time.Now().Add(g.all.nameBudget), seen: map[string]bool{}, whole: true, coming: g.all.allComing()}
	for _, root := range append(g.all.Folders(), n.roots...) {
		if real, err := filepath.EvalSymlinks(root); err == nil && !slices.Contains(n.tops, real) {
			n.tops = append(n.tops, real)
			n.todo = append(n.todo, searched{name: real, dir: real})
			n.repositoryAbove(real)
		}
	}
	n.ownPlaces()
	for i := 0; i < len(n.todo); i++ {
		if i >= maxNamedFolders || i%64 == 0 && time.Now().After(n.until) {
			n.whole = false
			break
		}
		n.folder(n.todo[i])
	}
	n.todo = nil
	return n
}

// repositoryAbove adds the folders from a root up to the top of the repository it is in: git's own names there, and those
// that agents and tools look for upwards.
func (n *nameSearch) repositoryAbove(root string) {
	var above []searched
	for dir := root; ; {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			n.todo = append(n.todo, above...)
			n.tops = append(n.tops, dir)
			return
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return
		}
		dir = parent
		above = append(above, searched{name: dir, dir: dir, shallow: true})
	}
}

func (n *nameSearch) folder(f searched) {
	linked, key := f.name != f.dir, f.dir
	if linked {
		key = n.why(f.name) + "\x00" + f.dir
	}
	if n.seen[key] {
		return
	}
	if linked || !f.shallow {
		n.seen[key] = true
	}
	list, ok := n.g.all.listings.Read(f.dir, n.until)
	if !ok {
		n.whole = false
		return
	}
	for _, name := range list.Links {
		if p := join(f.name, name); n.matters(p) {
			n.link(p, join(f.dir, name))
		}
	}
	for _, name := range list.Files {
		if policy.Fold(name) == ".git" {
			n.gitFile(join(f.name, name), join(f.dir, name), f.dir)
		}
		n.files = append(n.files, join(f.dir, name))
	}
	for _, name := range list.Folders {
		p := join(f.name, name)
		if f.shallow && !n.matters(p) {
			continue
		}
		if policy.Fold(name) == ".git" {
			n.repository(p, join(f.dir, name))
		}
		if !linked {
			n.todo = append(n.todo, searched{name: p, dir: p})
		} else {
			n.todo = append(n.todo, searched{name: p, dir: join(f.dir, name)})
		}
	}
}

// join is filepath.Join of parts that are clean.
func join(parts ...string) string { return strings.Join(parts, string(filepath.Separator)) }

func (n *nameSearch) matters(p string) bool {
	return n.isOwn(p) || policy.MayHold(policy.Path{Given: p, Roots: n.roots})
}

// why is what makes a name matter: two names that do so alike make the same of what is below.
func (n *nameSearch) why(name string) string {
	if n.isOwn(name) {
		return "own"
	}
	p := policy.Path{Given: name, Roots: n.roots}
	control, isControl := policy.Control(p)
	secret, isSecret := policy.Secret(p)
	if !isControl && !isSecret {
		return policy.Fold(filepath.Base(name)) // no entry has more than two parts
	}
	return control + "\x00" + secret
}

// link notes where a link leads.
func (n *nameSearch) link(name, path string) {
	r, err := n.g.all.Disk.Resolve(path)
	switch {
	case errors.Is(err, disk.ErrBadPath): // perhaps only too long a chain
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			r, err = n.g.all.Disk.Resolve(real)
		}
		if _, statErr := os.Stat(path); err != nil && errors.Is(statErr, syscall.ELOOP) {
			return // nobody can follow it
		}
		if err != nil {
			n.whole = false
			return
		}
	case err != nil:
		n.whole = false
		return
	}
	for _, via := range append(r.Via, r.Real) {
		if ofTheProcess(via) {
			n.whole = false // it leads elsewhere for each program
			return
		}
	}
	n.add(alias{name, r.Real, r.Info})
	if policy.Fold(filepath.Base(name)) == ".git" {
		n.repository(name, r.Real)
		n.gitFile(name, r.Real, filepath.Dir(path))
	}
}

// ofTheProcess says whether a path means something else to each process.
func ofTheProcess(path string) bool {
	for _, top := range []string{"/proc", "/dev/fd"} {
		if path == top || strings.HasPrefix(path, top+"/") {
			return true
		}
	}
	return false
}

// add notes an alias, and searches what is below it. What lies elsewhere on the disk is no work of this workspace: only a
// folder of git is searched there.
func (n *nameSearch) add(a alias) {
	n.aliases = append(n.aliases, a)
	if a.info == nil || !a.info.IsDir() {
		return
	}
	inside := func(top string) bool { _, ok := policy.Below(a.target, top); return ok }
	if policy.Fold(filepath.Base(a.name)) == ".git" || slices.ContainsFunc(n.tops, inside) {
		n.todo = append(n.todo, searched{name: a.name, dir: a.target})
	}
}

// of are further names of the file or folder at a resolved path.
func (n *nameSearch) of(real string) (names []string) {
	var above []fs.FileInfo // of the path and the folders above it, read when they are needed
	for _, a := range n.aliases {
		rest, ok := policy.Below(real, a.target)
		if !ok && a.info != nil {
			if above == nil {
				above = infosAbove(real)
			}
			rest, ok = restBelow(real, above, a.info)
		}
		if ok {
			names = append(names, strings.TrimSuffix(join(a.name, filepath.FromSlash(rest)), string(filepath.Separator)))
		}
	}
	return names
}

// secretsThatAre are the names of secrets that are hard links of a file.
func (n *nameSearch) secretsThatAre(file fs.FileInfo) (names []string) {
	for _, path := range n.files {
		if fi, err := os.Lstat(path); err == nil && os.SameFile(fi, file) {
			names = append(names, path)
		}
	}
	return names
}

// infosAbove are what is at a path and at each folder above it, nil where nothing is.
func infosAbove(path string) (out []fs.FileInfo) {
	for {
		fi, _ := os.Lstat(path) // nothing, or nothing to be seen, is nobody's target
		out = append(out, fi)
		parent := filepath.Dir(path)
		if parent == path {
			return out
		}
		path = parent
	}
}

// restBelow is policy.Below by the identity of the folders: other spellings, and the same folder mounted twice.
func restBelow(path string, above []fs.FileInfo, target fs.FileInfo) (rest string, ok bool) {
	for _, fi := range above {
		if fi != nil && os.SameFile(fi, target) {
			return rest, true
		}
		rest = filepath.Join(filepath.Base(path), rest)
		path = filepath.Dir(path)
	}
	return "", false
}

// wanted are the names that searches look for: git's own, and those of secrets.
func wanted(path string) bool {
	return policy.Fold(filepath.Base(path)) == ".git" || IsSecret(policy.Path{Given: path})
}
