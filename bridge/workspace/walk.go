package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	ignore "github.com/sabhiram/go-gitignore"
)

// ErrStop ends a walk without an error when a visitor returns it.
var ErrStop = errors.New("stop")

// Visit is called for each regular file, with its absolute path. Returning [ErrStop] ends the walk.
type Visit func(path string, d fs.DirEntry) error

// rules are the .gitignore patterns of one folder; parent are those of the folders above.
type rules struct {
	parent *rules
	dir    string
	own    []pattern
}

// pattern is one line of a .gitignore. Lines are compiled one by one, because a negated line also speaks against the
// patterns of folders above, which the library cannot know of.
type pattern struct {
	negate bool
	match  func(rel string) bool // by the path from the rules' folder, of a folder with a slash at its end
}

// matcher is the library's for a line, or the same more quickly for the lines that most files consist of: a name, a
// folder, an ending. What is below an ignored folder is never asked about.
func matcher(line string) func(string) bool {
	plain := func(s string) bool { return s != "" && !strings.ContainsAny(s, "*?[]\\!# \t/") }
	name, folder := strings.CutSuffix(line, "/")
	rooted, top := strings.CutPrefix(name, "/")
	ending, star := strings.CutPrefix(line, "*")
	switch {
	case plain(rooted):
		return func(rel string) bool {
			rel, isFolder := strings.CutSuffix(rel, "/")
			if folder && !isFolder {
				return false
			}
			if top {
				return rel == rooted
			}
			return rel == rooted || strings.HasSuffix(rel, rooted) && rel[len(rel)-len(rooted)-1] == '/'
		}
	case star && plain(ending):
		return func(rel string) bool { return strings.HasSuffix(strings.TrimSuffix(rel, "/"), ending) }
	}
	return ignore.CompileIgnoreLines(line).MatchesPath
}

// Walk visits the regular files below dir, breadth first, so that a walk that is cut short has seen the files near the
// top. Folders named .git, ignored files and what lies behind symbolic links are left out. Folders that cannot be read
// are passed over.
func Walk(ctx context.Context, dir string, visit Visit) error { return walk(ctx, dir, nil, visit) }

// walk is [Walk]; also, if not nil, says of paths relative to dir, with slashes, which files and folders are visited although
// they are left out otherwise. Of those it visits links, pipes, sockets and devices as well.
func walk(ctx context.Context, dir string, also func(rel string) bool, visit Visit) error {
	type folder struct {
		path  string
		rules *rules
	}
	todo := []folder{{dir, above(dir)}}
	for len(todo) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := todo[0]
		todo = todo[1:]
		r := f.rules.enter(f.path)
		err := readFolder(f.path, func(e fs.DirEntry) error {
			path := filepath.Join(f.path, e.Name())
			extra := func() bool { return also != nil && also(relative(dir, path)) }
			switch {
			case e.IsDir() && e.Name() != ".git" && !r.ignored(path, true):
				todo = append(todo, folder{path, r})
			case e.IsDir() && extra():
				return visitBelow(path, visit)
			case e.IsDir():
			case e.Type().IsRegular() && !r.ignored(path, false), extra():
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

// visitBelow visits the files of a folder that a walk leaves out, within bounds. Of a git repository it visits those by
// which git runs something; the rest is git's own, and changes with every command of it.
func visitBelow(dir string, visit Visit) error {
	left := maxAlso
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if left--; left < 0 {
			return filepath.SkipAll
		}
		rel, relErr := filepath.Rel(dir, path)
		repository := filepath.Base(dir) == ".git"
		switch {
		case err != nil || relErr != nil:
			return nil // what cannot be read is passed over
		case d.IsDir() && repository && !gitFolder(filepath.ToSlash(rel)):
			return filepath.SkipDir
		case d.IsDir():
		case !repository || gitFile(filepath.ToSlash(rel)) || !d.Type().IsRegular() && gitFolder(filepath.ToSlash(rel)):
			return visit(path, d)
		}
		return nil
	})
	return err
}

// gitFolder says whether a folder of a repository may hold files that make git run something. Submodules are below
// modules, by names of several parts.
func gitFolder(rel string) bool {
	parts := strings.Split(rel, "/")
	return rel == "." || rel == "hooks" || rel == "info" ||
		parts[0] == "modules" && !slices.Contains(parts, "objects") && !slices.Contains(parts, "logs") && !slices.Contains(parts, "refs")
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
	r := above(dir)
	at := dir
	parts := strings.Split(rel, string(filepath.Separator))
	for i, part := range parts {
		r = r.enter(at)
		at = filepath.Join(at, part)
		last := i == len(parts)-1
		if part == ".git" || r.ignored(at, !last) {
			return true
		}
	}
	return false
}

// above collects the patterns of the folders over dir, up to the top of the repository it is in.
func above(dir string) *rules {
	var chain []string
	for at := dir; ; {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			break
		}
		parent := filepath.Dir(at)
		if parent == at {
			return nil // no repository: only what is below counts
		}
		chain = append(chain, parent)
		at = parent
	}
	slices.Reverse(chain)
	var r *rules
	for _, at := range chain {
		r = r.enter(at)
	}
	return r
}

// enter adds the patterns of a folder, if it has any.
func (r *rules) enter(dir string) *rules {
	path := filepath.Join(dir, ".gitignore")
	if fi, err := os.Lstat(path); err != nil || !fi.Mode().IsRegular() || fi.Size() > maxIgnoreFile {
		return r
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return r
	}
	out := &rules{parent: r, dir: dir}
	for _, line := range strings.Split(string(text), "\n") {
		line = strings.TrimRight(line, "\r")
		plain, negate := strings.CutPrefix(line, "!")
		if trimmed := strings.TrimSpace(plain); trimmed == "" || strings.HasPrefix(line, "#") {
			continue
		}
		out.own = append(out.own, pattern{negate, matcher(plain)})
	}
	return out
}

// ignored asks the nearest folder that has a pattern for the path, as git does: the deeper folder wins, and in it the
// last line.
func (r *rules) ignored(path string, isDir bool) bool {
	for ; r != nil; r = r.parent {
		rel := filepath.ToSlash(strings.TrimPrefix(path[len(r.dir):], string(filepath.Separator)))
		if isDir {
			rel += "/"
		}
		for _, p := range slices.Backward(r.own) {
			if p.match(rel) {
				return !p.negate
			}
		}
	}
	return false
}
