package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// rules are the ignore patterns of one file; parent are those that count less: of the folders above, of .git/info/exclude,
// of core.excludesFile.
type rules struct {
	parent *rules
	dir    string // the folder to which the patterns are relative
	own    []pattern
	fold   bool
}

// pattern is one line of an ignore file (gitignore(5)).
type pattern struct {
	negate   bool
	folders  bool   // it matches folders only
	name     bool   // it is compared with the name alone, at any depth
	literal  string // what a path or name must begin with
	wildcard string // what matches the rest; "" where literal is all of it
}

// newPattern reads a line; ok is false for one that holds no pattern.
func newPattern(line string) (p pattern, ok bool) {
	if strings.HasPrefix(line, "#") || len(line) > maxIgnoreLine {
		return p, false
	}
	line = trimSpaces(strings.TrimSuffix(line, "\r"))
	line, p.negate = strings.CutPrefix(line, "!")
	line, p.folders = strings.CutSuffix(line, "/")
	if line == "" {
		return p, false
	}
	p.name = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	n := strings.IndexAny(line, `*?[\`)
	if n < 0 {
		n = len(line)
	}
	p.literal, p.wildcard = line[:n], line[n:]
	return p, true
}

// trimSpaces takes the spaces at the end away, but for one behind a backslash.
func trimSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		if line[i] == ' ' {
			continue
		}
		if line[i] == '\\' && i+1 < len(line) {
			i++
		}
		end = i + 1
	}
	return line[:end]
}

// match says whether the pattern is about a path, given relative to the folder of the rules, with slashes.
func (p *pattern) match(rel string, isDir, fold bool) bool {
	if p.folders && !isDir {
		return false
	}
	if p.name {
		rel = rel[strings.LastIndexByte(rel, '/')+1:]
	}
	if len(rel) < len(p.literal) || !same(rel[:len(p.literal)], p.literal, fold) {
		return false
	}
	rel = rel[len(p.literal):]
	switch {
	case p.wildcard == "":
		return rel == ""
	case p.name && p.wildcard[0] == '*' && !strings.ContainsAny(p.wildcard[1:], `*?[\`): // most of those with a wildcard
		ending := p.wildcard[1:]
		return len(rel) >= len(ending) && same(rel[len(rel)-len(ending):], ending, fold)
	}
	g := glob{pattern: p.wildcard, path: !p.name, fold: fold}
	return g.match(rel)
}

func same(a, b string, fold bool) bool {
	if !fold {
		return a == b
	}
	g := glob{fold: true}
	return slices.EqualFunc([]byte(a), []byte(b), func(x, y byte) bool { return g.folded(x) == g.folded(y) })
}

// enter adds the patterns of a folder's .gitignore, if it has one. git does not follow a link there.
func (r *rules) enter(dir string) *rules {
	return r.read(filepath.Join(dir, ".gitignore"), dir, r.folds())
}

func (r *rules) folds() bool { return r != nil && r.fold }

// read adds the patterns of a file, relative to dir. A file that is not there, no regular file or too large has none.
func (r *rules) read(path, dir string, fold bool) *rules {
	if fi, err := os.Lstat(path); err != nil || !fi.Mode().IsRegular() || fi.Size() > maxIgnoreFile {
		return r
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return r
	}
	out := &rules{parent: r, dir: dir, fold: fold}
	for line := range strings.SplitSeq(strings.TrimPrefix(string(text), "\uFEFF"), "\n") {
		if p, ok := newPattern(line); ok {
			out.own = append(out.own, p)
		}
	}
	return out
}

// bytecode is the folder that Python makes beside what it runs. It counts as ignored where no pattern says otherwise: nobody
// reviews it, and not every project has a pattern for it.
const bytecode = "__pycache__"

// ignored asks the patterns that count most first, as git does: the deeper folder wins, and in it the last line. path is
// below the folder of the rules.
func (r *rules) ignored(path string, isDir bool) bool {
	for ; r != nil; r = r.parent {
		rel := filepath.ToSlash(strings.TrimPrefix(path[len(r.dir):], string(filepath.Separator)))
		for _, p := range slices.Backward(r.own) {
			if p.match(rel, isDir, r.fold) {
				return !p.negate
			}
		}
	}
	return isDir && filepath.Base(path) == bytecode
}
