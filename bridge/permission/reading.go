package permission

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// Reading lets through the files that a tool comes upon without their having been named to the user: what a search finds,
// what an editor tells of all its files. It cannot ask for each, so a file is read only where nothing would be asked about
// it; the others are left out and counted. One is made for a call of a tool and belongs to its goroutine.
type Reading struct {
	g     *Gate
	rules *policy.Engine
	req   policy.Request
	cwd   string   // the session's folder, links resolved
	roots []string // the session's folders, as named and resolved

	within string // a folder that the user allowed to be read, links resolved
	rule   string // the rule that had it asked about, "" for none

	asks, denied int

	names   *nameSearch              // made when it is needed
	folders map[string][]fs.FileInfo // what the files in a folder that are not let through lead to
	linked  []fs.FileInfo            // files that are not let through and have several names
	walked  bool
	all     bool // the walk came to its end
}

// NewReading makes one for a call of a tool.
func (g *Gate) NewReading(tool string) *Reading {
	r := &Reading{g: g, rules: g.all.Rules.Frozen(), cwd: g.realCwd(), roots: g.Roots(), folders: map[string][]fs.FileInfo{}}
	r.req = policy.Request{Tool: policy.ToolRead, Name: tool, Paths: make([]policy.Path, 1)}
	g.complete(&r.req)
	return r
}

// Allowed notes that the user, or a rule, has allowed to read a folder: the question about it is answered for the files in
// it too. Others that they raise are not.
func (r *Reading) Allowed(t Target) {
	r.within, r.rule = t.Real, ""
	if d := r.rules.Decide(r.about(r.g.PathOf(t, policy.OpRead))); d.Rule != nil && d.Verdict == policy.Ask {
		r.rule = d.Rule.String()
	}
}

func (r *Reading) about(p policy.Path) policy.Request {
	r.req.Paths[0] = p
	return r.req
}

// May says whether the file of that name, which is no link, is let through, by its names alone: what is in a file that is
// left out has no part in what the model reads, nor has whether there is anything to find in it.
func (r *Reading) May(path string) bool { return r.count(r.Verdict(path)) }

// count says whether a verdict lets a file through, and counts it where it does not.
func (r *Reading) count(v policy.Verdict) bool {
	switch v {
	case policy.Allow:
		return true
	case policy.Ask:
		r.asks++
	default:
		r.denied++
	}
	return false
}

// Verdict is May without counting.
func (r *Reading) Verdict(path string) policy.Verdict {
	p := policy.Path{Given: path, Real: path, Op: policy.OpRead, Exists: true, Roots: r.roots, Outside: !r.inside(path)}
	if rel, ok := strings.CutPrefix(path, r.cwd+string(filepath.Separator)); ok {
		p.Rel = filepath.ToSlash(rel)
		if r.cwd != r.g.Cwd {
			p.Given = filepath.Join(r.g.Cwd, rel)
		}
	}
	d := r.rules.Decide(r.about(p))
	if d.Verdict == policy.Ask && r.rule != "" && d.Rule != nil && !d.Must && d.Rule.String() == r.rule && inFolder(r.within, path) {
		return policy.Allow
	}
	return d.Verdict
}

// inside says whether a path lies in the session's folders, or in the one that the user allowed.
func (r *Reading) inside(path string) bool {
	return inFolder(r.within, path) || inFolders(r.roots, path)
}

// MayNamed is May for a name that somebody else gives, which may be a link or another name of a file.
func (r *Reading) MayNamed(path string) bool {
	t, err := r.g.Resolve(path)
	if err != nil {
		return r.count(policy.Ask)
	}
	return r.count(r.rules.Decide(r.about(r.g.PathOf(t, policy.OpRead))).Verdict)
}

// WithLeft is a tool's answer and a line about the files that were left out.
func (r *Reading) WithLeft(text string) string {
	n := r.asks + r.denied
	if n == 0 {
		return text
	}
	_ = r.g.refuse(policy.Request{Tool: policy.ToolRead, Name: r.req.Name}, policy.ByRule,
		fmt.Sprintf("%d files were left out: %d would have to be asked about, %d are denied by rules", n, r.asks, r.denied))
	were, them := fmt.Sprintf("%d files were", n), "them"
	if n == 1 {
		were, them = "1 file was", "it"
	}
	line := fmt.Sprintf("[%s left out: %d to ask the user about first (the view tool asks, for a file that is named), %d not to be read by the user's rules]", were, r.asks, r.denied)
	switch {
	case r.denied == 0:
		line = fmt.Sprintf("[%s left out because reading %s asks the user first; name a file to the view tool, which asks]", were, them)
	case r.asks == 0:
		line = fmt.Sprintf("[%s left out: the user's rules do not allow reading %s]", were, them)
	}
	return strings.TrimSuffix(text, "\n") + "\n" + line
}

// Twin says whether the file at path is, under another name, one that is not let through: a link leads to it, or it has hard
// links. It looks when there is something to show of the file, and is not counted, so that nothing can be learnt from it.
func (r *Reading) Twin(path string) bool {
	fi, err := os.Stat(path)
	if err != nil {
		return false // not on disk
	}
	is := func(other fs.FileInfo) bool { return os.SameFile(fi, other) }
	if slices.ContainsFunc(ancestors(path, r.roots), func(dir string) bool { return slices.ContainsFunc(r.in(dir), is) }) {
		return true
	}
	if r.names == nil {
		r.names = r.g.searchNames()
	}
	hidden := func(name string) bool { return r.Verdict(name) != policy.Allow }
	if slices.ContainsFunc(r.names.of(path), hidden) {
		return true
	}
	if disk.LinkCount(fi) < 2 {
		return false
	}
	if slices.ContainsFunc(r.names.secretsThatAre(fi), hidden) {
		return true
	}
	r.walk()
	return slices.ContainsFunc(r.linked, is) || !r.all // it may be the one that was not come to
}

// in gives the files in one folder that are not let through, links followed.
func (r *Reading) in(dir string) []fs.FileInfo {
	if known, ok := r.folders[dir]; ok {
		return known
	}
	var out []fs.FileInfo
	entries, _ := os.ReadDir(dir) // what cannot be read has nothing to find
	for _, e := range entries {
		if path := filepath.Join(dir, e.Name()); !e.IsDir() && r.Verdict(path) != policy.Allow {
			if fi, err := os.Stat(path); err == nil {
				out = append(out, fi)
			}
		}
	}
	r.folders[dir] = out
	return out
}

// walk looks for files with several names that are not let through in the whole of the session's folders, within bounds.
func (r *Reading) walk() {
	if r.walked {
		return
	}
	r.walked = true
	r.all = eachFile(r.roots, func(path string, d fs.DirEntry) {
		if fi, err := d.Info(); err == nil && disk.LinkCount(fi) > 1 && r.Verdict(path) != policy.Allow {
			r.linked = append(r.linked, fi)
		}
	})
}

// ancestors are the folders from a file's own up to the session's folders, and those themselves.
func ancestors(path string, roots []string) []string {
	var out []string
	for _, root := range roots {
		for dir := filepath.Dir(path); len(dir) > len(root) && strings.HasPrefix(dir, root); dir = filepath.Dir(dir) {
			if !slices.Contains(out, dir) {
				out = append(out, dir)
			}
		}
		if !slices.Contains(out, root) {
			out = append(out, root)
		}
	}
	return out
}
