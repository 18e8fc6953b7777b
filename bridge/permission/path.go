package permission

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// Target is a path that an agent named, resolved. Outside says that it is in no folder of the session.
type Target struct{ disk.Resolved }

// Resolve finds what a path stands for. A relative path is taken from the session's folder. With an error that comes from the
// disk the target says by name where the path would lead.
func (g *Gate) Resolve(path string) (Target, error) {
	if path == "" {
		return Target{}, fmt.Errorf("the path is empty; name a file, best as an absolute path")
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(g.Cwd, path)
	}
	r, err := g.all.Disk.Resolve(path)
	r.Outside = r.Outside || !g.within(r.Real)
	return Target{r}, err
}

// within says whether a resolved path is in one of the session's folders. The folders are resolved too.
func (g *Gate) within(real string) bool {
	return slices.ContainsFunc(g.Roots(), func(dir string) bool { _, ok := relative(dir, real); return ok })
}

// relative is a path relative to a folder, as the system spells names; false if it is not in the folder.
func relative(dir, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(dir, path)
	return rel, err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func inFolders(dirs []string, path string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return inFolder(dir, path) })
}

// inFolder says whether a path is a folder or lies below it, letter by letter. Both are clean; "" is no folder.
func inFolder(dir, path string) bool {
	return dir != "" && (path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator)))
}

// Roots are the session's folders, as they were named and with links resolved.
func (g *Gate) Roots() []string {
	var out []string
	for _, dir := range append([]string{g.Cwd}, g.Dirs...) {
		out = append(out, dir)
		if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
			out = append(out, real)
		}
	}
	return out
}

// realCwd is the session's folder with links resolved.
func (g *Gate) realCwd() string { return realOf(g.Cwd) }

// PathOf is the target as the rules see it.
func (g *Gate) PathOf(t Target, op policy.Op) policy.Path {
	return g.pathAmong(g.searchNames(), t, op)
}

// pathAmong is PathOf where several are looked at together.
func (g *Gate) pathAmong(names *nameSearch, t Target, op policy.Op) policy.Path {
	p := policy.Path{Given: t.Path, Real: t.Real, Op: op, Outside: t.Outside, Exists: t.Exists, Folder: t.Info != nil && t.Info.IsDir(), Roots: g.Roots()}
	cwd := g.realCwd()
	if rel, err := filepath.Rel(cwd, t.Real); err == nil {
		p.Rel = filepath.ToSlash(rel)
	}
	p.SameAs, p.Nameless = g.twins(names, t, op)
	for _, link := range t.Via {
		if link != t.Path {
			p.SameAs = append(p.SameAs, link)
		}
	}
	if rel, ok := strings.CutPrefix(t.Real, cwd+string(filepath.Separator)); ok && cwd != g.Cwd { // as a rule may name it
		p.SameAs = append(p.SameAs, filepath.Join(g.Cwd, rel))
	}
	return p
}

// Notes are facts about a target that a user should know before they say yes.
func (t Target) Notes() []string {
	var out []string
	if t.Real != t.Path {
		out = append(out, "it is really "+t.Real)
	}
	if spelt := spelledOut(t.Path); spelt != "" {
		out = append(out, "its name is written "+spelt)
	}
	if t.Outside {
		out = append(out, noteOutside)
	}
	if t.Links > 1 && t.Info != nil && t.Info.Mode().IsRegular() {
		out = append(out, fmt.Sprintf("the file has %d names (hard links); only this one is changed", t.Links))
	}
	return out
}

// kind is what kind of thing a target was; what was not there becomes a file. An editor that is asked to read a pipe waits.
func (t Target) kind() fs.FileMode {
	if t.Info == nil {
		return 0
	}
	return t.Info.Mode().Type()
}

// spelledOut is a path in plain ASCII where by eye it is not to be told from another: blanks at the end of a name, blanks that
// look like others or like none, letters that can be written in two ways (NFC and NFD), and letters of other scripts, see [looksOtherwise]. "" for all
// other paths.
func spelledOut(path string) string {
	for name := range strings.SplitSeq(path, string(filepath.Separator)) {
		odd := func(r rune) bool { return r != ' ' && unicode.IsSpace(r) }
		if name != strings.TrimSpace(name) || strings.ContainsFunc(name, odd) || !norm.NFC.IsNormalString(name) || looksOtherwise(name) {
			return strconv.QuoteToASCII(path)
		}
	}
	return ""
}

// Short is a path as a user reads it: relative inside the session's folder.
func (g *Gate) Short(path string) string {
	if rel, ok := relative(g.Cwd, path); ok {
		return rel
	}
	return path
}

// What is said of a file outside; the reason of the rules ends with outsideFolders too.
const (
	outsideFolders = "outside the session's folders"
	noteOutside    = "it is " + outsideFolders
)

// IsSecret says whether a file may hold secrets, by its names.
func IsSecret(p policy.Path) bool {
	_, secret := policy.Secret(p)
	return secret
}
