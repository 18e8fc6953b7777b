package workspace

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrStop ends a walk without an error when a visitor returns it.
var ErrStop = errors.New("stop")

// Visit is called for each regular file, with its absolute path. Returning [ErrStop] ends the walk.
type Visit func(path string, d fs.DirEntry) error

// Walk visits the regular files below dir, breadth first, so that a walk that is cut short has seen the files near the
// top. Folders named .git, ignored files that git does not track, and what lies behind symbolic links are left out.
// Folders that cannot be read are passed over.
func Walk(ctx context.Context, dir string, visit Visit) error {
	return walk(ctx.Err, dir, new(extras), visit)
}

// extras are what a walk visits although it would leave it out.
type extras struct {
	names func(rel string) bool // which files and folders, by their paths below the walk's, with slashes; nil for none

	left []string // folders that were left out, or visited in part
	cut  bool     // one had more than maxAlso entries
}

// walk is [Walk] with extras. Of those it visits links, pipes, sockets and devices as well. It ends with the error of over,
// which is asked before each folder.
func walk(over func() error, dir string, also *extras, visit Visit) error {
	todo := []walkDir{start(dir)}
	for len(todo) > 0 {
		if err := over(); err != nil {
			return err
		}
		f := todo[0]
		todo = todo[1:]
		err := readFolder(f.path, func(e fs.DirEntry) error {
			name, path := e.Name(), filepath.Join(f.path, e.Name())
			extra := func() bool { return also.names != nil && also.names(relative(dir, path)) }
			switch {
			case e.IsDir():
				sub, ok := f.below(name)
				if ok {
					todo = append(todo, sub)
				}
				if also.names != nil && !ok {
					also.left = append(also.left, path)
				}
				if (!ok || sub.ignored) && extra() {
					whole, err := visitBelow(path, visit)
					also.cut = also.cut || !whole
					return err
				}
			case e.Type().IsRegular() && !f.leavesOut(name), extra():
				return visit(path, e)
			}
			return nil
		})
		if err != nil {
			if errors.Is(err, ErrStop) {
				return nil
			}
			return err
		}
	}
	return nil
}

// relative is a path below dir relative to it, with slashes.
func relative(dir, path string) string {
	return strings.TrimLeft(filepath.ToSlash(path[len(dir):]), "/")
}

// visitBelow visits the files of a folder that a walk leaves out, within bounds; whole is false if there are more. Of a git
// repository it visits those by which git runs something; the rest is git's own, and changes with every command of it.
func visitBelow(dir string, visit Visit) (whole bool, err error) {
	left := maxAlso
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if left--; left < 0 {
			return filepath.SkipAll
		}
		switch {
		case err != nil: // what cannot be read is passed over
		case d.IsDir():
			if !folderCounts(dir, path) {
				return filepath.SkipDir
			}
		case fileCounts(dir, path, d.Type()):
			return visit(path, d)
		}
		return nil
	})
	return left >= 0, err
}

// folderCounts says whether a folder that is top or below it may hold files that count; of a repository few do.
func folderCounts(top, path string) bool {
	return filepath.Base(top) != ".git" || gitFolder(gitName(top, path))
}

// fileCounts says the same of a file.
func fileCounts(top, path string, t fs.FileMode) bool {
	rel := gitName(top, path)
	return filepath.Base(top) != ".git" || gitFile(rel) || !t.IsRegular() && gitFolder(rel)
}

// gitName is a path in a repository relative to it, with slashes.
func gitName(repository, path string) string {
	return cmp.Or(relative(repository, path), ".")
}

// gitFolder says whether a folder of a repository may hold files that make git run something. Submodules are below
// modules, by names of several parts, further work trees below worktrees.
func gitFolder(rel string) bool {
	parts := strings.Split(rel, "/")
	return rel == "." || rel == "hooks" || rel == "info" ||
		(parts[0] == "modules" || parts[0] == "worktrees") && !slices.Contains(parts, "objects") && !slices.Contains(parts, "logs") && !slices.Contains(parts, "refs")
}

// gitFile says whether a file of a repository makes git run something. Samples of hooks do nothing.
func gitFile(rel string) bool {
	folder, name := filepath.Base(filepath.Dir(filepath.FromSlash(rel))), filepath.Base(filepath.FromSlash(rel))
	return name == "config" || name == "commondir" || name == "config.worktree" || folder == "hooks" && !strings.HasSuffix(name, ".sample") || folder == "info" && name == "attributes"
}

// readFolder calls f for the entries of a folder, in the order of their names as long as they fit in one batch. A folder
// that cannot be read has none.
func readFolder(path string, f func(fs.DirEntry) error) error {
	d, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer d.Close()
	for {
		entries, err := d.ReadDir(folderBatch)
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
		for _, e := range entries {
			if err := f(e); err != nil {
				return err
			}
		}
		if err != nil || len(entries) == 0 {
			return nil
		}
	}
}

// Ignored says whether a walk of dir would leave out path.
func Ignored(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	if err != nil || strings.HasPrefix(rel, "..") {
		return true
	}
	f := start(dir)
	for part := range strings.SplitSeq(filepath.Dir(rel), string(filepath.Separator)) {
		if part == "." {
			break
		}
		below, ok := f.below(part)
		if !ok {
			return true
		}
		f = below
	}
	return f.leavesOut(filepath.Base(rel))
}

// walkDir is a folder on a walk, with what decides about the files in it.
type walkDir struct {
	path    string
	repo    *repository
	rules   *rules
	ignored bool // only what git tracks counts
}

func start(dir string) walkDir {
	repo, r := around(dir)
	return walkDir{path: dir, repo: repo, rules: r.enter(dir)}
}

// below is a folder in f; ok is false where a walk does not go into it.
func (f *walkDir) below(name string) (sub walkDir, ok bool) {
	if name == ".git" {
		return sub, false
	}
	sub = *f
	sub.path = filepath.Join(f.path, name)
	if f.ignored || f.rules.ignored(sub.path, true) {
		sub.ignored = true
		return sub, f.repo.tracks(sub.path)
	}
	if repo := repositoryAt(sub.path); repo != nil { // another one, with rules of its own
		sub.repo, sub.rules = repo, repo.base
	}
	sub.rules = sub.rules.enter(sub.path)
	return sub, true
}

// leavesOut says whether a file in f is ignored and not tracked.
func (f *walkDir) leavesOut(name string) bool {
	path := filepath.Join(f.path, name)
	return name == ".git" || (f.ignored || f.rules.ignored(path, false)) && !f.repo.tracks(path)
}
