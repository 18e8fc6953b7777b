package policy

import (
	"path"
	"strings"
)

// controlFolders are folders, as globs, whose whole content changes what runs or what is asked.
var controlFolders = []string{
	".git", "*.git", // also of worktrees, submodules and bare repositories
	".vscode", ".vscode-server", ".idea", ".fleet", ".zed", ".helix", ".vs", ".nvim", ".vim",
	".copilot", ".claude", ".cursor", ".windsurf", ".codex", ".gemini", ".continue", ".roo", ".kiro", ".opencode", ".agents",
	".devcontainer", ".husky", ".githooks", ".circleci", ".buildkite", ".direnv", ".ssh",
	".copilot-bridge",
}

// controlBelow are folders that are such only below another.
var controlBelow = map[string][]string{
	".github": {"workflows", "hooks", "agents", "copilot", "instructions", "actions", "prompts", "skills", "chatmodes"},
	".config": {"copilot-bridge", "git", "nvim", "zed", "helix", "fish", "systemd", "autostart", "github-copilot", "opencode"},
	"state":   {"copilot-bridge"}, // ~/.local/state
	".cargo":  {"config", "config.toml"},
	".yarn":   {"releases", "plugins"},
}

// controlFiles are names of files, as globs.
var controlFiles = []string{
	".mcp.json", "mcp.json", "mcp-config.json", "*.code-workspace", "*.code-profile", "*.sublime-project", ".devcontainer.json",
	"agents.md", "agents.override.md", "claude.md", "claude.local.md", "gemini.md", "copilot-instructions.md", "*.instructions.md",
	".cursorrules", ".windsurfrules", ".clinerules", "opencode.json", "opencode.jsonc",
	".envrc", ".env*", ".npmrc", ".yarnrc*", ".pnpmfile.cjs", ".mise.toml", "mise.toml",
	".pre-commit-config.yaml", ".pre-commit-config.yml", "lefthook.yml", ".lefthook.yml", ".gitlab-ci.yml",
	".exrc", ".nvim.lua", ".nvimrc", ".vimrc", "_vimrc", ".gvimrc", ".lazy.lua", ".dir-locals.el", ".dir-locals-2.el", ".emacs",
	".gitmodules", ".gitattributes", ".gitconfig", ".gitignore_global",
	".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile",
	".zlogin", ".zlogout", ".inputrc", ".netrc", "_netrc", "authorized_keys",
}

// secretFiles are names of files that are asked about before they are read.
var secretFiles = []string{
	".env*", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk", "id_*",
	".netrc", "_netrc", ".npmrc", ".pypirc", ".git-credentials", "credentials*", ".htpasswd", ".pgpass", ".my.cnf",
}

// secretFolders hold secrets whatever the file's name.
var secretFolders = []string{".ssh", ".gnupg", ".aws", ".kube", ".azure", ".gcloud", ".password-store"}

// secretBelow are folders, and files, that are such only below another.
var secretBelow = map[string][]string{
	".config": {"gh", "gcloud", "github-copilot", "hub", "op"},
	".docker": {"config.json"},
	".cargo":  {"credentials", "credentials.toml"},
}

// shortName is the entry that every short name of Windows is taken for.
const shortName = "a short name as Windows makes them (8.3)"

// Control says whether a path is a control file, and which entry of the list it is. All names of it are looked at.
func Control(p Path) (entry string, ok bool) { return anyName(p, controlName) }

// Secret says whether a path may hold secrets.
func Secret(p Path) (entry string, ok bool) { return anyName(p, secretName) }

// control is [Control], and what lies in the bridge's own folders. Caller holds mu.
func (e *Engine) control(p Path) (entry string, ok bool) {
	for _, folder := range e.own {
		for _, name := range p.names() {
			if below(components(name), components(folder)) {
				return "a folder of copilot-bridge's own", true
			}
		}
	}
	return Control(p)
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

// ControlFile says whether a file or folder of that name is a control file wherever it is.
func ControlFile(name string) bool {
	parts := components(name)
	_, ok := controlName(parts)
	return ok && len(parts) == 1 && !short83(parts[0])
}

// ControlParent says whether some of the folder's entries are control files because they are in it.
func ControlParent(name string) bool { return len(controlBelow[Fold(name)]) > 0 }

func anyName(p Path, match func([]string) (string, bool)) (string, bool) {
	for _, name := range p.names() {
		if entry, ok := match(components(p.below(name))); ok {
			return entry, true
		}
	}
	return "", false
}

// below is the part of a name under the session's folders: a workspace that itself lies in ~/.claude or in a checkout
// named .git is the person's choice. With folders in each other the outermost counts, which leaves most to look at.
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

func controlName(parts []string) (string, bool) {
	for i, c := range parts {
		if f, ok := entryOf(c, controlFolders); ok {
			return f + "/**", true
		}
		if b, ok := entryBelow(parts[i:], controlBelow); ok {
			return b, true
		}
		if f, ok := entryOf(c, controlFiles); ok {
			return f, true
		}
		if short83(c) {
			return shortName, true
		}
	}
	return "", false
}

func secretName(parts []string) (string, bool) {
	for i, c := range parts {
		if f, ok := entryOf(c, secretFolders); ok {
			return f + "/**", true
		}
		if b, ok := entryBelow(parts[i:], secretBelow); ok {
			return b, true
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

func entryBelow(parts []string, table map[string][]string) (string, bool) {
	if len(parts) < 2 {
		return "", false
	}
	for _, b := range table[parts[0]] {
		if parts[1] == b {
			return parts[0] + "/" + b + "/**", true
		}
	}
	return "", false
}

func entryOf(name string, globs []string) (string, bool) {
	for _, g := range globs {
		if ok, _ := path.Match(g, name); ok {
			return g, true
		}
	}
	return "", false
}
