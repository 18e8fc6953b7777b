package workspace

import (
	"errors"
	"io/fs"
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
	home, xdg := configHomes()
	var c gitConfig
	if xdg != "" {
		c.excludesFile = filepath.Join(xdg, "git", "ignore")
	}
	for _, path := range append(UserGitConfigs(), filepath.Join(gitDir, "config")) {
		r := settingsReader{home: home, seen: map[string]bool{}, f: func(s GitSetting) {
			switch s.Name {
			case "core.ignorecase":
				switch strings.ToLower(s.Value) {
				case "", "true", "yes", "on", "1":
					c.ignoreCase = true
				default:
					c.ignoreCase = false
				}
			case "core.excludesfile":
				if c.excludesFile = expand(s.Value, filepath.Dir(s.File), home); s.Value == "" {
					c.excludesFile = ""
				}
			}
		}}
		r.read(path)
	}
	return c
}

// gitHome is the folder that git takes for the user's; "" if there is none. Git for Windows goes by HOME where it is set, as
// shells from Unix do, and by the profile else.
func gitHome() string {
	if home := os.Getenv("HOME"); home != "" {
		return home
	}
	home, _ := os.UserHomeDir()
	return home
}

func configHomes() (home, xdg string) {
	home = gitHome()
	if xdg = os.Getenv("XDG_CONFIG_HOME"); xdg == "" && home != "" {
		xdg = filepath.Join(home, ".config")
	}
	return home, xdg
}

// UserGitConfigs are the files in which git's configuration for all repositories may be, those that count most last.
func UserGitConfigs() []string {
	home, xdg := configHomes()
	files := systemGitConfigs()
	if xdg != "" {
		files = append(files, filepath.Join(xdg, "git", "config"))
	}
	if home != "" {
		files = append(files, filepath.Join(home, ".gitconfig"))
	}
	return files
}

// GitSetting is one line of a configuration file of git's.
type GitSetting struct {
	File  string
	Name  string // "section.key" or "section.subsection.key", section and key in lower case
	Value string
}

// GitSettings calls f for the settings of a configuration file, and of those that it includes under whatever condition. whole
// is false where not all of them could be read.
func GitSettings(path string, f func(GitSetting)) (whole bool) {
	home := gitHome()
	r := settingsReader{home: home, conditional: true, f: f, seen: map[string]bool{}, whole: true}
	r.read(path)
	return r.whole
}

// settingsReader reads a configuration file with those that it includes, each once: they may include each other.
type settingsReader struct {
	home        string
	conditional bool // includes with a condition are followed too
	f           func(GitSetting)
	seen        map[string]bool
	whole       bool
}

func (r *settingsReader) read(path string) {
	if r.seen[path] {
		return
	}
	if len(r.seen) == maxGitIncludes {
		r.whole = false
		return
	}
	r.seen[path] = true
	text, err := readGit(path, maxGitConfig)
	r.whole = r.whole && (err == nil || errors.Is(err, fs.ErrNotExist) || isNotFolder(err))
	eachSetting(string(text), func(name, value string) {
		r.f(GitSetting{path, name, value})
		if value != "" && (name == "include.path" || r.conditional && strings.HasPrefix(name, "includeif.") && strings.HasSuffix(name, ".path")) {
			r.read(expand(value, filepath.Dir(path), r.home))
		}
	})
}

func expand(path, dir, home string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(home, rest)
	}
	return absolute(dir, path)
}

// eachSetting calls f for the settings of a configuration file (git-config(1), "Syntax"), sections and keys in lower case. What
// cannot be read as one is passed over.
func eachSetting(text string, f func(name, value string)) {
	section := ""
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		line = strings.TrimLeft(line, " \t")
		if rest, ok := strings.CutPrefix(line, "["); ok {
			section, line = sectionOf(rest)
		}
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		end := len(line) // of the key; a comment may stand behind one without a value
		if at := strings.IndexAny(line, "=#;"); at >= 0 {
			end = at
		}
		name, value := section+"."+strings.ToLower(strings.TrimSpace(line[:end])), ""
		if end < len(line) && line[end] == '=' {
			value, text = settingValue(line[end+1:], text)
		}
		f(name, value)
	}
}

// sectionOf reads the name of a section behind its bracket, with that of its subsection, and gives the rest of the line.
func sectionOf(line string) (section, rest string) {
	var sub strings.Builder
	quoted, named := false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			quoted, named = !quoted, true
		case quoted:
			if c == '\\' && i+1 < len(line) {
				i++
			}
			sub.WriteByte(line[i])
		case c == ']':
			section = strings.ToLower(strings.TrimSpace(section))
			if named {
				section += "." + sub.String()
			}
			return section, strings.TrimLeft(line[i+1:], " \t")
		default:
			section += string(rune(c))
		}
	}
	return "?", ""
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
