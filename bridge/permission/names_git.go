package permission

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// gitFile reads a .git that is a file: "gitdir: folder", which git reads from where the file is named.
func (n *nameSearch) gitFile(name, path, from string) {
	if to := n.pointer(path, "gitdir: ", from); to != "" {
		n.leads(name, to)
		n.repository(name, to)
	}
}

// pointer is the path in a file of one line, "" if git would find none there.
func (n *nameSearch) pointer(path, prefix, from string) string {
	fi, err := os.Stat(path)
	if err != nil || !fi.Mode().IsRegular() {
		return ""
	}
	var b []byte
	if fi.Size() <= maxPointer {
		b, err = os.ReadFile(path)
	}
	if err != nil || b == nil {
		n.whole = false
		return ""
	}
	to, ok := strings.CutPrefix(string(b), prefix)
	if to = strings.TrimRight(to, "\r\n"); !ok || to == "" {
		return ""
	}
	if !filepath.IsAbs(to) {
		to = join(from, to) // not cleaned: what goes up goes up from where a link leads
	}
	return to
}

// at is where a path leads that a file names. It goes up from where links lead, as programs do.
func (n *nameSearch) at(to string) (disk.Resolved, error) {
	if real, err := filepath.EvalSymlinks(to); err == nil {
		to = real
	}
	return n.g.all.Disk.Resolve(to)
}

// leads notes a path that a file names.
func (n *nameSearch) leads(name, to string) {
	r, err := n.at(to)
	if err != nil || ofTheProcess(r.Path) || ofTheProcess(r.Real) {
		n.whole = false
		return
	}
	n.add(alias{name, r.Real, r.Info})
}

// repository notes what a folder of git leads to: the one it shares with others, and what its configuration names.
func (n *nameSearch) repository(name, dir string) {
	if to := n.pointer(filepath.Join(dir, "commondir"), "", dir); to != "" {
		n.leads(name, to)
		n.configured(name, to)
	}
	n.configured(name, dir)
}

// configured notes what the configuration of a repository leads to: of the user's and of its own, with what they include.
func (n *nameSearch) configured(name, dir string) {
	read := func(file string, f func(workspace.GitSetting)) {
		if !workspace.GitSettings(file, f) {
			n.whole = false
		}
	}
	if n.user == nil {
		n.user = []workspace.GitSetting{}
		for _, file := range workspace.UserGitConfigs() {
			read(file, func(s workspace.GitSetting) { n.user = append(n.user, s) })
		}
	}
	for _, s := range n.user {
		n.setting(name, s)
	}
	for _, file := range []string{"config", "config.worktree"} {
		read(filepath.Join(dir, file), func(s workspace.GitSetting) { n.setting(name, s) })
	}
}

// setting notes what a setting of git names: a folder of hooks, another configuration, a program. Programs stand in many
// settings, and most are lines for a shell, so each word counts that is a path. Hooks and programs run at the top of the
// work tree.
func (n *nameSearch) setting(name string, s workspace.GitSetting) {
	key := s.Name[strings.LastIndexByte(s.Name, '.')+1:]
	if strings.HasPrefix(s.Name, "branch.") || slices.Contains([]string{"url", "pushurl", "fetch", "push"}, key) {
		return // there may be thousands, and they name nothing that runs
	}
	from := filepath.Dir(name)
	switch {
	case strings.HasPrefix(s.Name, "include"):
		n.named(name, filepath.Dir(s.File), s.Value, func(fs.FileInfo) bool { return true })
		return
	case slices.Contains([]string{"hookspath", "attributesfile", "templatedir"}, key):
		n.named(name, from, s.Value, func(fs.FileInfo) bool { return true })
		return
	}
	program := func(fi fs.FileInfo) bool { return fi != nil && fi.Mode().IsRegular() }
	n.named(name, from, s.Value, program)
	words := strings.FieldsFunc(s.Value, func(r rune) bool { return strings.ContainsRune(" \t\n!'\"`;|&<>()$={}", r) })
	for _, word := range words {
		n.named(name, from, word, func(fi fs.FileInfo) bool { return program(fi) || fi == nil && strings.Contains(word, "/") })
	}
}

// named notes a path in a setting if it is in the folders that are searched: what is elsewhere asks anyway. counts says whether
// what is there, nil for nothing, can be meant.
func (n *nameSearch) named(name, from, to string, counts func(fs.FileInfo) bool) {
	if to == "" || strings.HasPrefix(to, "~") {
		return // the user's own
	}
	if !filepath.IsAbs(to) {
		to = join(from, to)
	}
	r, err := n.at(to)
	if err != nil || !counts(r.Info) {
		return
	}
	inside := func(top string) bool { rest, ok := policy.Below(r.Real, top); return ok && rest != "" }
	if slices.ContainsFunc(n.tops, inside) {
		n.add(alias{join(name, "config"), r.Real, r.Info})
	}
}

// bare are the names of a path by which git takes a folder above it for a repository: it has, or has with the path, what git
// looks for. Such a folder needs not be named .git, and what is configured in it is run by any git command there.
// What comes with the path counts as if it were there.
func (n *nameSearch) bare(real string) (names []string) {
	for dir := filepath.Dir(real); n.g.within(dir); dir = filepath.Dir(dir) {
		rest, err := filepath.Rel(dir, real)
		if err != nil {
			return names
		}
		first, _, _ := strings.Cut(rest, string(filepath.Separator))
		has := func(name string) bool {
			_, err := os.Lstat(filepath.Join(dir, name))
			return err == nil || strings.EqualFold(first, name) || n.comes(dir, name)
		}
		if has("HEAD") && (has("commondir") || has("objects") && has("refs")) {
			names = append(names, filepath.Join(dir, ".git", rest))
		}
		if filepath.Dir(dir) == dir {
			break
		}
	}
	return names
}

// comes says whether a name in a folder comes with what is decided about, as a file or as a folder of one.
func (n *nameSearch) comes(dir, name string) bool {
	return slices.ContainsFunc(n.coming, func(path string) bool {
		rest, ok := relative(dir, path)
		first, _, _ := strings.Cut(rest, string(filepath.Separator))
		return ok && strings.EqualFold(first, name)
	})
}
