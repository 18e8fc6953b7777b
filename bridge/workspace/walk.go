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
	match  *ignore.GitIgnore
}

// Walk visits the regular files below dir, breadth first, so that a walk that is cut short has seen the files near the
// top. Folders named .git, ignored files and what lies behind symbolic links are left out. Folders that cannot be read
// are passed over.
func Walk(ctx context.Context, dir string, visit Visit) error {
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
		entries, err := os.ReadDir(f.path)
		if err != nil {
			continue
		}
		r := f.rules.enter(f.path, entries)
		for _, e := range entries {
			path := filepath.Join(f.path, e.Name())
			switch {
			case e.IsDir():
				if e.Name() != ".git" && !r.ignored(path, true) {
					todo = append(todo, folder{path, r})
				}
			case e.Type().IsRegular():
				if r.ignored(path, false) {
					continue
				}
				if err := visit(path, e); err != nil {
					if errors.Is(err, ErrStop) {
						return nil
					}
					return err
				}
			}
		}
	}
	return nil
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
		entries, err := os.ReadDir(at)
		if err != nil {
			return false
		}
		r = r.enter(at, entries)
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
		if entries, err := os.ReadDir(at); err == nil {
			r = r.enter(at, entries)
		}
	}
	return r
}

// enter adds the patterns of a folder, if it has any.
func (r *rules) enter(dir string, entries []fs.DirEntry) *rules {
	i, found := slices.BinarySearchFunc(entries, ".gitignore", func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) })
	if !found || !entries[i].Type().IsRegular() {
		return r
	}
	if fi, err := entries[i].Info(); err != nil || fi.Size() > maxIgnoreFile {
		return r
	}
	text, err := os.ReadFile(filepath.Join(dir, ".gitignore"))
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
		out.own = append(out.own, pattern{negate, ignore.CompileIgnoreLines(plain)})
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
			if p.match.MatchesPath(rel) {
				return !p.negate
			}
		}
	}
	return false
}
