package policy

import (
	"path"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// controlFolders are folders whose whole content changes what runs or what is asked.
var controlFolders = []string{
	".git", ".vscode", ".idea", ".zed", ".cursor", ".helix", ".devcontainer", ".copilot", ".claude", ".husky",
	".copilot-bridge",
}

// controlBelow are folders that are one only below another.
var controlBelow = map[string][]string{
	".github": {"workflows", "hooks", "agents", "copilot", "instructions", "actions"},
	".config": {"copilot-bridge", "git", "nvim", "zed", "helix"},
	"state":   {"copilot-bridge"}, // ~/.local/state
}

// controlFiles are names of files, as globs.
var controlFiles = []string{
	".mcp.json", "mcp.json", "*.code-workspace", "agents.md", "copilot-instructions.md", ".envrc", ".env", ".env.*", ".env*",
	".npmrc", ".yarnrc*", ".pre-commit-config.yaml", ".pre-commit-config.yml", ".exrc", ".nvim.lua", ".nvimrc", ".vimrc",
	".dir-locals.el", ".dir-locals-2.el", "*.sublime-project", ".gitmodules", ".gitattributes", ".gitconfig", ".lazy.lua",
	".bashrc", ".bash_profile", ".profile", ".zshrc", ".zshenv", ".netrc", "authorized_keys",
}

// secretFiles are names of files that are asked about before they are read.
var secretFiles = []string{
	".env", ".env*", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*",
	".netrc", "_netrc", ".npmrc", ".pypirc", ".git-credentials", "credentials", "credentials.*", ".htpasswd", ".pgpass", "*.ppk",
}

// secretFolders hold secrets whatever the file's name.
var secretFolders = []string{".ssh", ".gnupg", ".aws", ".kube", ".azure", ".gcloud"}

// Control says whether a path is a control file, and which entry of the list it is. All names of it are looked at.
func Control(p Path) (entry string, ok bool) { return anyName(p, controlName) }

// Secret says whether a path may hold secrets.
func Secret(p Path) (entry string, ok bool) { return anyName(p, secretName) }

func anyName(p Path, match func([]string) (string, bool)) (string, bool) {
	for _, name := range p.names() {
		if entry, ok := match(components(p.below(name))); ok {
			return entry, true
		}
	}
	return "", false
}

// below is the part of a name under the session's folder: a workspace that itself lies in ~/.claude or in a checkout
// named .git is the person's choice.
func (p Path) below(name string) string {
	for _, root := range p.Roots {
		if rest, ok := strings.CutPrefix(name, strings.TrimRight(root, `/\`)); ok && rest != "" && (rest[0] == '/' || rest[0] == '\\') {
			return rest
		}
	}
	return name
}

func controlName(parts []string) (string, bool) {
	for i, c := range parts {
		for _, f := range controlFolders {
			if c == f || short83(c, f) {
				return f + "/**", true
			}
		}
		if i+1 < len(parts) {
			for _, below := range controlBelow[c] {
				if parts[i+1] == below {
					return c + "/" + below + "/**", true
				}
			}
		}
		if entry, ok := fileEntry(c, controlFiles); ok {
			return entry, true
		}
	}
	return "", false
}

func secretName(parts []string) (string, bool) {
	for _, c := range parts {
		for _, f := range secretFolders {
			if c == f {
				return f + "/**", true
			}
		}
	}
	if len(parts) == 0 {
		return "", false
	}
	return fileEntry(parts[len(parts)-1], secretFiles)
}

func fileEntry(name string, globs []string) (string, bool) {
	for _, g := range globs {
		if ok, _ := path.Match(g, name); ok {
			return g, true
		}
	}
	return "", false
}

// components are the parts of a path as a file system that folds case, normalises Unicode or strips endings would
// compare them: the strictest of them all, on every system.
func components(name string) []string {
	fold := cases.Fold()
	var out []string
	for _, c := range strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == '\\' }) {
		if i := strings.IndexByte(c, ':'); i > 0 { // an NTFS stream; "C:" stays
			c = c[:i]
		}
		c = norm.NFC.String(fold.String(norm.NFKC.String(c)))
		c = strings.Map(dropIgnorable, c)
		if t := strings.TrimRight(c, ". "); t != "" {
			c = t
		}
		out = append(out, c)
	}
	return out
}

// dropIgnorable removes characters that HFS+ ignores in names (CVE-2014-9390).
func dropIgnorable(r rune) rune {
	switch {
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff:
		return -1
	}
	return r
}

// short83 says whether a component may be the 8.3 name of a folder: GIT~1 for .git.
func short83(c, folder string) bool {
	stem, _, ok := strings.Cut(c, "~")
	if !ok || stem == "" {
		return false
	}
	long := strings.TrimLeft(folder, ".")
	return strings.HasPrefix(long, stem) && (len(stem) == min(6, len(long)) || len(stem) >= 2)
}
