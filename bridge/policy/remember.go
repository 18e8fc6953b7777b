package policy

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// rememberable says whether "always" may be offered for a request, and as which rule it would be kept: the exact argv
// and folder of a command, the exact file of an edit.
func rememberable(r Request) (Rule, bool) {
	switch r.Tool {
	case ToolShell:
		if len(r.Argv) == 0 || len(r.Env) > 0 || !plainCommand(r.Argv) {
			return Rule{}, false
		}
		return Rule{Tool: ToolShell, Argv: slices.Clone(r.Argv), Dir: r.CommandDir, Content: r.Content, Decision: Allow}, true
	case ToolEdit:
		if len(r.Paths) != 1 || r.Paths[0].Real == "" {
			return Rule{}, false
		}
		return Rule{Tool: ToolEdit, Path: globQuote(filepath.ToSlash(r.Paths[0].Real)), Decision: Allow}, true
	}
	return Rule{}, false
}

// interpreters run code that is given as an argument or come with a command as an argument: what they do is not what
// they are called. An exact argv of theirs may be allowed by the person's own rules, but is never offered as "always".
var interpreters = []string{
	"sh", "bash", "zsh", "dash", "ksh", "fish", "csh", "tcsh", "busybox", "cmd", "powershell", "pwsh",
	"env", "xargs", "nohup", "nice", "timeout", "time", "setsid", "sudo", "doas", "su", "ssh", "watch", "find", "parallel",
	"python", "python2", "python3", "perl", "ruby", "node", "deno", "bun", "php", "lua", "awk", "gawk", "sed", "eval", "exec",
	"osascript", "tclsh", "make", "npx", "git", "docker", "podman", "kubectl", "vim", "nvim", "ed", "ex", "emacs",
}

// plainCommand says whether a command does what its words say. A line for a shell is one if it is words without any
// character that the shell reads.
func plainCommand(argv []string) bool {
	if len(argv) == 3 && argv[1] == "-c" && slices.Contains([]string{"bash", "sh", "/bin/bash", "/bin/sh"}, argv[0]) {
		line := argv[2]
		if strings.ContainsFunc(line, func(r rune) bool { return !plainRune(r) }) {
			return false
		}
		argv = strings.Fields(line)
	}
	if len(argv) == 0 || strings.Contains(argv[0], "=") {
		return false
	}
	name := strings.TrimSuffix(strings.ToLower(path.Base(filepath.ToSlash(argv[0]))), ".exe")
	name = strings.TrimRight(name, "0123456789.")
	return name != "" && !slices.Contains(interpreters, name) && !slices.Contains(interpreters, path.Base(argv[0]))
}

// plainRune is a character that no shell reads as anything but itself.
func plainRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(" ./_-+:,@%", r)
}

// globQuote makes a glob that matches exactly one path.
func globQuote(p string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(p)
}
