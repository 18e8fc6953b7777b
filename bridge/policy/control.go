package policy

import (
	"path"
	"strings"
	"sync"
)

// secretFiles are names of files that are asked about before they are read.
var secretFiles = []string{
	".env*", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk", "id_*",
	".netrc", "_netrc", ".npmrc", ".pypirc", ".git-credentials", "credentials*", ".htpasswd", ".pgpass", ".my.cnf",
}

// secretFolders hold secrets whatever the file's name.
var secretFolders = sync.OnceValue(func() *matcher {
	return newMatcher(strings.Fields(".ssh .gnupg .aws .kube .azure .gcloud .password-store .config/gh .config/gcloud .config/github-copilot .config/hub .config/op .docker/config.json .cargo/credentials .cargo/credentials.toml"))
})

// shortName is the entry that every short name of Windows is taken for.
const shortName = "a short name as Windows makes them (8.3)"

// Control says whether a path is a control file, and which entry of the list it is. All names of it are looked at.
func Control(p Path) (entry string, ok bool) { return anyName(p, controlName) }

// Secret says whether a path may hold secrets.
func Secret(p Path) (entry string, ok bool) { return anyName(p, secretName) }

// control is [Control], and what is in the bridge's own places. Caller holds mu.
func (e *Engine) control(p Path) (entry string, ok bool) {
	for _, folder := range e.own {
		for _, name := range p.names() {
			if below(components(name), components(folder)) {
				return "copilot-bridge's own", true
			}
		}
	}
	return Control(p)
}

// Control is [Control], and what is in the bridge's own places.
func (e *Engine) Control(p Path) bool {
	e.mu.RLock()
	defer e.mu.RUnlock()
	_, ok := e.control(p)
	return ok
}

// Below says whether a path is a folder or in it, as the most forgiving file system compares names, and gives the rest of it
// with slashes.
func Below(name, folder string) (rest string, ok bool) {
	parts, top := components(name), components(folder)
	if !below(parts, top) {
		return "", false
	}
	return strings.Join(parts[len(top):], "/"), true
}

func below(parts, folder []string) bool {
	if len(folder) == 0 || len(parts) < len(folder) {
		return false
	}
	for i, c := range folder {
		if parts[i] != c {
			return false
		}
	}
	return true
}

// MayHold says whether a file or folder of that name is a control file or a secret, or may have some below it: where a link
// of that name leads has to be known.
func MayHold(p Path) bool {
	if _, ok := Control(p); ok {
		return true
	}
	if _, ok := Secret(p); ok {
		return true
	}
	for _, name := range p.names() {
		if parts := components(p.below(name)); controls().above(parts) || secretFolders().above(parts) {
			return true
		}
	}
	return false
}

func anyName(p Path, match func([]string) (string, bool)) (string, bool) {
	for _, name := range p.names() {
		if entry, ok := match(components(p.below(name))); ok {
			return entry, true
		}
	}
	return "", false
}

// below is the part of a name under the session's folders: a workspace that itself lies in ~/.claude or in a checkout
// named .git is the user's choice. With folders in each other the outermost counts, which leaves most to look at.
func (p Path) below(name string) string {
	longest, found := "", false
	for _, root := range p.Roots {
		rest, ok := strings.CutPrefix(name, strings.TrimRight(root, `/\`))
		if ok && root != "" && (rest == "" || rest[0] == '/' || rest[0] == '\\') && len(rest) >= len(longest) {
			longest, found = rest, true
		}
	}
	if !found {
		return name
	}
	return longest
}

// controlName is the rule itself, for a name in its parts.
func controlName(parts []string) (string, bool) {
	for i, c := range parts {
		if e, ok := controls().at(parts, i); ok {
			return e, true
		}
		if short83(c) {
			return shortName, true
		}
	}
	return "", false
}

func secretName(parts []string) (string, bool) {
	for i, c := range parts {
		if e, ok := secretFolders().at(parts, i); ok {
			return e, true
		}
		if short83(c) {
			return shortName, true
		}
	}
	if len(parts) == 0 {
		return "", false
	}
	return entryOf(parts[len(parts)-1], secretFiles)
}

func entryOf(name string, globs []string) (string, bool) {
	for _, g := range globs {
		if ok, _ := path.Match(g, name); ok {
			return g, true
		}
	}
	return "", false
}
