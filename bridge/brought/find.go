package brought

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Place is where a session works.
type Place struct {
	Cwd   string   // absolute, as Copilot is told of it
	Roots []string // the session's folders, links resolved too: texts in them are no news
	Home  string   // the agent's, whose .claude is the user's own and nothing that Copilot takes for a project's

	// Secret says that a file, by its real path, asks before it is read although it is in the session's folders.
	Secret func(real string) bool
}

// Found is what a workspace brings along.
type Found struct {
	Files []string // absolute, as they were come upon; at most maxFiles, and those that only stand for a doubt are among them
	Texts []string // real paths of those of the texts for the model that lead elsewhere
	Notes []string // what each file starts or sends, or why it is listed, for the question

	// State is equal for two lists exactly if the same was found with the same content; "" for nothing.
	State string
	// Whole says that all of it was read. A yes can be kept for a whole list only.
	Whole bool
}

// Find lists what Copilot would start or send in a session. It reads the disk and takes some milliseconds.
func Find(p Place) Found {
	f := &finder{place: p, hash: sha256.New(), left: maxEntries, wide: maxWide, bytes: maxBytes, listed: map[string]bool{}, names: map[string][]string{}}
	f.out.Whole = true
	for _, dir := range folders(p.Cwd) {
		f.folder(dir)
		f.git(dir)
	}
	f.links()
	if len(f.out.Files) > 0 {
		f.out.State = "sha256:" + hex.EncodeToString(f.hash.Sum(nil))
	}
	return f.out
}

// folders are those in which Copilot may look: the session's and all above it, by its name and by where that leads. Where
// Copilot stops depends on what it takes for the top of a repository, and its parts do not agree on that: a .git that leads
// nowhere stops its hooks and not its agents.
func folders(cwd string) (out []string) {
	seen := map[string]bool{}
	climb := func(dir string) {
		for {
			if !seen[dir] {
				seen[dir] = true
				out = append(out, dir)
			}
			up := filepath.Dir(dir)
			if up == dir {
				return
			}
			dir = up
		}
	}
	climb(filepath.Clean(cwd))
	if real, err := filepath.EvalSymlinks(cwd); err == nil {
		climb(real)
	}
	return out
}

// finder is one run of [Find].
type finder struct {
	place Place
	out   Found
	hash  hash.Hash
	left  int   // entries of folders below those
	wide  int   // entries of the folders themselves
	bytes int64 // of files

	names  map[string][]string // of the folders themselves
	listed map[string]bool     // files on the list, by name
	full   bool                // a bound was named already
	plain  []text              // texts that no link leads to
	linked []text              // texts that one does
}

// folder looks at one of the folders.
func (f *finder) folder(dir string) {
	home := f.isHome(dir)
	for _, s := range spots() {
		if home && strings.HasPrefix(s.path, ".claude") {
			continue // the user's own, which Copilot leaves alone (1.0.102)
		}
		visit := func(path string) { f.starts(path, s.judge) }
		if s.judge == nil {
			visit = func(path string) { f.text(dir, path) }
		}
		f.enter(filepath.Join(dir, filepath.FromSlash(s.path)), s.deep, s.take, visit, nil)
	}
}

func (f *finder) isHome(dir string) bool {
	if f.place.Home == "" {
		return false
	}
	home, err := os.Stat(f.place.Home)
	if err != nil {
		return false
	}
	at, err := os.Stat(dir)
	return err == nil && os.SameFile(home, at)
}

// enter calls visit for the files of a folder that are taken, and of those below it if deep. Links are followed, to folders
// too; above are the folders that this one is in, by which a loop is known.
func (f *finder) enter(dir string, deep bool, take func(string) bool, visit func(string), above []fs.FileInfo) {
	info, err := os.Stat(dir)
	switch {
	case missing(err) && !isLink(dir), err == nil && !info.IsDir():
		return
	case err != nil:
		f.doubt(dir, "cannot be read: "+reason(err))
		return
	case slices.ContainsFunc(above, func(a fs.FileInfo) bool { return os.SameFile(a, info) }):
		f.doubt(dir, "is a link to a folder that it is in")
		return
	case len(above) == maxDepth:
		f.doubt(dir, fmt.Sprintf("lies more than %d folders deep", maxDepth))
		return
	}
	names, err := f.list(dir, deep)
	switch {
	case err != nil && deep:
		f.doubt(dir, "cannot be read: "+reason(err))
		return
	case err != nil:
		names = candidates(take) // a folder above, perhaps: what is known by name can still be opened
	}
	above = append(above[:len(above):len(above)], info)
	for _, name := range names {
		path := filepath.Join(dir, name)
		if deep {
			switch fi, err := os.Stat(path); {
			case err == nil && fi.IsDir():
				f.enter(path, deep, take, visit, above)
				continue
			case err != nil && !missing(err):
				f.doubt(path, "cannot be read: "+reason(err))
				continue
			}
		}
		if take(name) {
			if _, err := os.Lstat(path); err == nil {
				visit(path)
			}
		}
	}
}

// list is the names in a folder, sorted, as far as the bound goes. Those of the folders themselves are asked for several times.
func (f *finder) list(dir string, deep bool) ([]string, error) {
	if names, ok := f.names[dir]; ok && !deep {
		return names, nil
	}
	left := &f.left
	if !deep {
		left = &f.wide
	}
	if *left <= 0 {
		f.bound(dir)
		return nil, nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Readdirnames(*left)
	if *left -= len(names); *left <= 0 {
		f.bound(dir)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	slices.Sort(names)
	if !deep {
		f.names[dir] = names
	}
	return names, nil
}

// starts puts a file on the list if it has something that is started.
func (f *finder) starts(path string, judge judge) {
	if f.listed[path] {
		return
	}
	b, err := f.read(path)
	if err != nil {
		f.doubt(path, reason(err))
		return
	}
	if lines, counts := judge(b); counts && f.add(path, b) {
		f.show(path, lines)
	}
}

// add puts a file with its content on the list; false if it is there already, or there is no room for it.
func (f *finder) add(path string, b []byte) bool {
	if f.listed[path] {
		return false
	}
	f.listed[path] = true
	if len(f.out.Files) == maxFiles {
		f.bound(path)
		return false
	}
	f.out.Files = append(f.out.Files, path)
	real, err := filepath.EvalSymlinks(path)
	fmt.Fprintf(f.hash, "%q %q %v %d\n%s\n", path, real, err == nil, len(b), b)
	return true
}

// doubt puts a file or folder on the list of which it cannot be said what it has.
func (f *finder) doubt(path, why string) {
	f.out.Whole = false
	if f.add(path, []byte(why)) {
		f.note(path, " "+why)
	}
}

// bound notes, once, that there is more than is looked at.
func (f *finder) bound(path string) {
	f.out.Whole = false
	if f.full {
		return
	}
	f.full = true
	if len(f.out.Files) == 0 {
		f.out.Files = append(f.out.Files, path)
	}
	fmt.Fprintf(f.hash, "more at %q\n", path)
	f.note(path, fmt.Sprintf(" and what follows is more than is looked at (%d files, %d names)", maxFiles, maxEntries))
}

// show adds the lines of a file to the notes.
func (f *finder) show(path string, lines []string) {
	if len(lines) == 0 {
		f.note(path, " says nothing")
	}
	for i, line := range lines {
		if i == maxShown {
			f.note(path, fmt.Sprintf(" has %d more lines", len(lines)-i))
			return
		}
		if r := []rune(line); len(r) > maxLine {
			line = fmt.Sprintf("%s … (%d characters left out) … %s", string(r[:maxLine/2]), len(r)-maxLine, string(r[len(r)-maxLine/2:]))
		}
		f.note(path, ": "+line)
	}
}

// links judges the texts that links lead to. One that is sent anyway, as a text of the same folder, is no news.
func (f *finder) links() {
	for _, t := range f.linked {
		switch {
		case slices.ContainsFunc(f.plain, func(p text) bool { return p.real == t.real && p.at == t.at }):
		case !within(f.place.Roots, t.real):
			f.send(t, "is outside the session's folders")
		case f.place.Secret != nil && f.place.Secret(t.real):
			f.send(t, "may hold secrets")
		}
	}
}

func (f *finder) send(t text, why string) {
	b, err := f.read(t.path)
	if err != nil {
		f.doubt(t.path, "is a text for the model that leads to "+t.real+", which "+reason(err))
		return
	}
	f.out.Texts = append(f.out.Texts, t.real)
	if f.add(t.path, b) {
		f.note(t.path, " is sent to the model; it leads to "+t.real+", which "+why)
	}
}

// note says something of a file, by its name in the session's folder.
func (f *finder) note(path, what string) {
	if rel, err := filepath.Rel(f.place.Cwd, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	f.out.Notes = append(f.out.Notes, path+what)
}
