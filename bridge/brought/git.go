package brought

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
)

// A git before 2.45 does not know GIT_NO_LAZY_FETCH: in a repository that says it is a partial clone, any command that misses an
// object fetches it, and starts what its configuration names for that. Partial clones over the usual transports name nothing, and
// are no news.

// git looks at the repository that git may take dir for, or find in it.
func (f *finder) git(dir string) {
	at := filepath.Join(dir, ".git")
	info, err := os.Stat(at)
	switch {
	case err == nil && info.Mode().IsRegular():
		to, ok := f.pointer(at, "gitdir: ", dir)
		if !ok {
			return // of no use to git
		}
		f.repository(to)
	case err == nil && info.IsDir():
		f.repository(at)
	case err != nil && !missing(err):
		f.doubt(at, "cannot be read: "+reason(err))
	}
	if there(filepath.Join(dir, "HEAD")) && (there(filepath.Join(dir, "commondir")) || there(filepath.Join(dir, "objects")) && there(filepath.Join(dir, "refs"))) {
		f.repository(dir) // a bare one, by any name
	}
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// pointer is the path in a file of git's that has one line.
func (f *finder) pointer(path, prefix, from string) (to string, ok bool) {
	b, err := f.read(path)
	if err != nil {
		f.doubt(path, reason(err))
		return "", false
	}
	if to, ok = strings.CutPrefix(string(b), prefix); !ok {
		return "", false
	}
	if to = strings.TrimRight(to, "\r\n"); to == "" {
		return "", false
	}
	if !filepath.IsAbs(to) {
		to = from + string(filepath.Separator) + to // not cleaned: what goes up goes up from where a link leads
	}
	return to, true
}

// repository looks at the configuration of a folder of git's, and of the one that it shares with others.
func (f *finder) repository(dir string) {
	dirs := []string{dir}
	if shared := filepath.Join(dir, "commondir"); there(shared) {
		if to, ok := f.pointer(shared, "", dir); ok {
			dirs = append(dirs, to)
		}
	}
	partial, whole := false, true
	var files []string // with lines, in the order in which they were come upon
	lines := map[string][]string{}
	for _, d := range dirs {
		for _, name := range []string{"config", "config.worktree"} {
			path := filepath.Join(d, name)
			if !workspace.GitSettings(path, func(s workspace.GitSetting) {
				partial = partial || marksPartial(s)
				if !runsInFetch(s) {
					return
				}
				if lines[s.File] == nil {
					files = append(files, s.File)
				}
				lines[s.File] = append(lines[s.File], s.Name+" = "+s.Value)
			}) {
				whole = false
				f.doubt(path, "cannot be read, or not all that it includes: a git before 2.45 may start what it names")
			}
		}
	}
	if !partial && whole {
		return
	}
	for _, file := range files {
		if f.add(file, []byte(strings.Join(lines[file], "\n"))) {
			f.note(file, " is of a partial clone: a git before 2.45 starts what it names when it misses an object")
			f.show(file, lines[file])
		}
	}
}

// marksPartial says that a setting makes a repository one that fetches what it misses.
func marksPartial(s workspace.GitSetting) bool {
	section, key := sectionAndKey(s.Name)
	return s.Name == "extensions.partialclone" || section == "remote" && (key == "promisor" || key == "partialclonefilter")
}

func sectionAndKey(name string) (section, key string) {
	section, _, _ = strings.Cut(name, ".")
	return section, name[strings.LastIndexByte(name, '.')+1:]
}

// usual are the addresses for which git starts nothing but itself and the user's own ssh: git-fetch(1), "Git URLs". A host or a
// path that begins with a dash is none.
var usual = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:https?|git|ssh|git\+ssh|ssh\+git)://[A-Za-z0-9\[].*|[A-Za-z0-9][A-Za-z0-9._-]*(?:@[A-Za-z0-9\[][A-Za-z0-9.:_\]-]*)?:/?[^:/-].*)$`)
})

// runsInFetch says that git, when it fetches, starts what a setting names, or that it cannot be told.
func runsInFetch(s workspace.GitSetting) bool {
	section, key := sectionAndKey(s.Name)
	switch section {
	case "core":
		return slices.Contains([]string{"sshcommand", "gitproxy", "askpass", "alternaterefscommand", "hookspath", "fsmonitor"}, key)
	case "remote":
		return slices.Contains([]string{"uploadpack", "vcs"}, key) || key == "url" && !usual().MatchString(s.Value)
	case "url": // url.<base>.insteadOf
		base := strings.TrimSuffix(strings.TrimPrefix(s.Name, "url."), "."+key)
		return key == "insteadof" && !usual().MatchString(base)
	case "credential":
		return key == "helper"
	case "protocol", "ssh":
		return s.Name != "protocol.version"
	case "fetch", "uploadpack":
		return strings.Contains(key, "hook")
	}
	return false
}
