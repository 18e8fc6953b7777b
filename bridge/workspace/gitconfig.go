package workspace

import (
	"os"
	"path/filepath"
	"strings"
)

// gitConfig is what of git's configuration decides about ignored files.
type gitConfig struct {
	ignoreCase   bool
	excludesFile string // absolute, "" for none
}

// readGitConfig reads the user's configuration and over it the repository's, gitDir being where that is. Conditional
// includes are left out: with fewer patterns more is compared.
func readGitConfig(gitDir string) gitConfig {
	home, _ := os.UserHomeDir()
	xdg := os.Getenv("XDG_CONFIG_HOME")
	if xdg == "" && home != "" {
		xdg = filepath.Join(home, ".config")
	}
	var c gitConfig
	if xdg != "" {
		c.excludesFile = filepath.Join(xdg, "git", "ignore")
	}
	files := []string{"/etc/gitconfig"}
	if xdg != "" {
		files = append(files, filepath.Join(xdg, "git", "config"))
	}
	if home != "" {
		files = append(files, filepath.Join(home, ".gitconfig"))
	}
	for _, path := range append(files, filepath.Join(gitDir, "config")) {
		c.read(path, home, maxGitIncludes)
	}
	return c
}

// read takes the settings of a file over; later ones win.
func (c *gitConfig) read(path, home string, depth int) {
	eachSetting(readSmall(path), func(name, value string) {
		switch name {
		case "core.ignorecase":
			switch strings.ToLower(value) {
			case "", "true", "yes", "on", "1":
				c.ignoreCase = true
			default:
				c.ignoreCase = false
			}
		case "core.excludesfile":
			if c.excludesFile = expand(value, filepath.Dir(path), home); value == "" {
				c.excludesFile = ""
			}
		case "include.path":
			if depth > 0 {
				c.read(expand(value, filepath.Dir(path), home), home, depth-1)
			}
		}
	})
}

func expand(path, dir, home string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(home, rest)
	}
	return absolute(dir, path)
}

// eachSetting calls f for the settings of a configuration file (git-config(1), "Syntax") outside of subsections, names in
// lower case. What cannot be read as one is passed over.
func eachSetting(text string, f func(name, value string)) {
	section := ""
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		line = strings.TrimLeft(line, " \t")
		if rest, ok := strings.CutPrefix(line, "["); ok {
			head, after, closed := strings.Cut(rest, "]")
			if section = strings.ToLower(strings.TrimSpace(head)); !closed || strings.ContainsAny(section, "\"") {
				section = "?"
			}
			line = strings.TrimLeft(after, " \t")
		}
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		name, value, given := strings.Cut(line, "=")
		name = section + "." + strings.ToLower(strings.TrimSpace(name))
		if !given {
			name, _, _ = strings.Cut(name, "#")
			f(strings.TrimSpace(name), "")
			continue
		}
		value, text = settingValue(value, text)
		f(name, value)
	}
}

// settingValue reads a value, which may be quoted, hold escapes and go on in the next lines, of which it returns the rest.
func settingValue(line, text string) (value, rest string) {
	var out strings.Builder
	quoted, spaces := false, 0
	line = strings.TrimLeft(line, " \t")
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == '\\':
			if i++; i == len(line) { // the line goes on in the next one
				line, text, _ = strings.Cut(text, "\n")
				i = -1
				continue
			}
			c = line[i]
			if at := strings.IndexByte("ntb", c); at >= 0 {
				c = "\n\t\b"[at]
			}
		case c == '"':
			quoted = !quoted
			continue
		case !quoted && (c == '#' || c == ';'):
			return out.String()[:out.Len()-spaces], text
		case !quoted && (c == ' ' || c == '\t'):
			spaces++
			out.WriteByte(c)
			continue
		}
		spaces = 0
		out.WriteByte(c)
	}
	return out.String()[:out.Len()-spaces], text
}
