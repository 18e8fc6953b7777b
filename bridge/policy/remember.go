package policy

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// UnknownContent stands in [Request].Content for what is in a program that could not be read whole. No answer is kept for it.
const UnknownContent = "unknown:"

// rememberable says whether "always" may be offered for a request, and as which rule it would be kept: the exact argv
// and folder of a command with what it runs, the exact file of an edit.
func rememberable(r Request) (Rule, bool) {
	switch r.Tool {
	case ToolShell:
		if r.Brought {
			ok := r.CommandDir != "" && strings.HasPrefix(r.Content, "sha256:")
			return Rule{Tool: ToolShell, Argv: slices.Clone(r.Argv), Dir: r.CommandDir, Content: r.Content, Decision: Allow}, ok
		}
		if r.CommandDir == "" || strings.Contains(r.Content, UnknownContent) || len(r.Env) > 0 || len(r.Paths) > 0 || !plainCommand(r.Argv) {
			return Rule{}, false
		}
		return Rule{Tool: ToolShell, Argv: slices.Clone(r.Argv), Dir: r.CommandDir, Content: r.Content, Decision: Allow}, true
	case ToolEdit:
		if len(r.Paths) != 1 || r.Paths[0].Real == "" || r.Paths[0].goes() {
			return Rule{}, false
		}
		return Rule{Tool: ToolEdit, Path: globQuote(filepath.ToSlash(r.Paths[0].Real)), Decision: Allow}, true
	}
	return Rule{}, false
}

// plainCommand says whether a command does what its words say, as far as words can tell: every word is made of
// characters that mean nothing but themselves, and the program is none of those that run others. What protects is that
// an answer is kept for these exact words only; this keeps the offer away where the words are the same and what happens
// is not.
func plainCommand(argv []string) bool {
	size := 0
	for _, w := range argv {
		size += len(w) + 1
		if w == "" || strings.ContainsFunc(w, func(r rune) bool { return !plainRune(r) }) {
			return false
		}
	}
	if size == 0 || size > maxPlainArgv {
		return false
	}
	if line := LineOf(argv); line != "" {
		argv = strings.Fields(line)
	} else if slices.ContainsFunc(argv, func(w string) bool { return strings.Contains(w, " ") }) {
		return false
	}
	if len(argv) == 0 || runsOthers(argv[0]) || slices.ContainsFunc(argv, telling) {
		return false
	}
	name := programName(argv[0])
	return !slices.ContainsFunc(argv[1:], func(word string) bool {
		return codeFlag(word) || slices.Contains(subcommands[name], word) || slices.Contains(interpreters, programName(word)) ||
			name == "dotnet" && strings.ContainsAny(word, "./") || word[0] == '@'
	})
}

// telling says whether a word names a control file or a secret: what is done to it deserves a question each time.
func telling(word string) bool {
	parts := components(strings.ReplaceAll(word, `\`, "/"))
	_, control := controlName(parts)
	_, secret := secretName(parts)
	return control || secret
}

// plainRune is a character that no shell reads as anything but itself, and a space.
func plainRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(" ./_-+:,@", r)
}

// codeFlag is an argument that in many programs is followed by a command, code or a file of such.
func codeFlag(word string) bool {
	w := strings.ToLower(strings.TrimLeft(word, "-"))
	return word != "" && word[0] == '-' && (slices.Contains(codeFlags, w) || strings.Contains(w, "exec") || strings.Contains(w, "command"))
}

var codeFlags = []string{
	"c", "e", "r", "p", "eval", "require", "import", "loader", "run", "script", "shell", "config", "rcfile", "init-file",
	"use-compress-program", "vettool", "overlay", "modfile", "pager", "editor", "upload-pack", "rsh", "plugin", "plugins",
	"rules", "rulesdir", "preprocessor", "pre", "hostname-bin", "search-zip", "output", "o", "load-plugins", "init-hook", "config-file",
	"rootdir", "confcutdir", "setupfiles", "setupfilesafterenv", "custom-formatter", "formatter", "reporter", "resolver", "file",
	"wrapper", "linker", "lua-filter", "filter", "processor", "agentpath", "javaagent", "install-extension", "hook",
}

// programName is a program's name without its folder, the ending that Windows gives it and its version.
func programName(word string) string {
	name := Fold(path.Base(strings.ReplaceAll(word, `\`, "/")))
	for _, ext := range []string{".exe", ".com", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ext)
	}
	return strings.TrimRight(name, "0123456789.-")
}

// runsOthers says whether what a program does is decided by an argument, by a file, or by the network, and not by its
// name.
func runsOthers(word string) bool {
	name := programName(word)
	if name == "" || name[0] == '-' || slices.Contains(launchers, name) || word == "[" || word == "." {
		return true
	}
	return slices.ContainsFunc(launcherPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}
