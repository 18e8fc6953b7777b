package policy

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// rememberable says whether "always" may be offered for a request, and as which rule it would be kept: the exact argv
// and folder of a command with what it runs, the exact file of an edit.
func rememberable(r Request) (Rule, bool) {
	switch r.Tool {
	case ToolShell:
		if r.CommandDir == "" || len(r.Env) > 0 || len(r.Paths) > 0 || !plainCommand(r.Argv) {
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
	if len(argv) == 3 && argv[1] == "-c" && slices.Contains(lineShells, argv[0]) {
		argv = strings.Fields(argv[2])
	} else if slices.ContainsFunc(argv, func(w string) bool { return strings.Contains(w, " ") }) {
		return false
	}
	if len(argv) == 0 || slices.ContainsFunc(argv[1:], codeFlag) || runsOthers(argv[0]) {
		return false
	}
	return len(argv) == 1 || !slices.Contains(subcommands[programName(argv[0])], argv[1])
}

// lineShells are the shells whose line is looked into. The bash tool uses the first.
var lineShells = []string{"bash", "sh", "/bin/bash", "/bin/sh"}

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
	"rules", "rulesdir", "preprocessor", "pre", "hostname-bin", "search-zip", "output", "o",
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
	return name == "" || name[0] == '-' || slices.Contains(launchers, name) || word == "[" || word == "."
}

// subcommands are those of otherwise plain programs that run what is in a file.
var subcommands = map[string][]string{
	"go":      {"run", "generate", "tool", "get", "install", "env", "telemetry", "mod", "work"},
	"cargo":   {"run", "install", "script", "xtask", "bench"},
	"dotnet":  {"run", "script", "tool", "exec"},
	"flutter": {"run", "pub"}, "dart": {"run", "pub"}, "mix": {"run", "eval", "do"}, "code": {"tunnel"},
}

// launchers are programs that run others, are told what to do by a file, or put a file in another's place. The list is a
// courtesy, not a protection.
var launchers = strings.Fields(`
	sh bash rbash zsh dash ash ksh mksh fish csh tcsh elvish nu busybox toybox cmd powershell pwsh
	. source eval exec command builtin coproc trap alias unalias export declare typeset local readonly set unset shopt
	enable hash bind complete function if then else elif fi for while until do done case esac select time
	env xargs nohup nice ionice chrt taskset timeout stdbuf setsid setpriv setarch unshare nsenter chroot sudo doas su runuser
	pkexec gosu ssh sshpass scp sftp rsync watch entr find fd fdfind locate parallel script expect screen tmux at batch crontab
	strace ltrace gdb lldb valgrind perf ld ld-linux ld-linux-x86-64.so ldd rlwrap socat nc ncat netcat telnet openssl
	python pypy ipython perl ruby irb node nodejs deno bun ts-node tsx php lua luajit awk gawk mawk nawk sed ed ex vi vim view
	vimdiff nvim emacs emacsclient nano pico less more most man info pg tclsh wish expect guile scheme racket sbcl clisp ghc
	runghc ocaml erl elixir iex julia r rscript octave scala groovy jshell java kotlin swift osascript wsl jq yq m bc dc
	make gmake bmake cmake ninja meson ant mvn mvnw gradle gradlew bazel buck just task rake invoke tox nox hatch poetry pipenv
	pip pipx uv uvx conda npm npx yarn pnpm pnpx bunx corepack lerna nx turbo gulp grunt gem bundle bundler composer cargo-run
	git hg svn gh glab docker podman nerdctl kubectl helm oc terraform tofu ansible ansible-playbook vagrant packer systemctl
	systemd-run launchctl curl wget aria2c http tar bsdtar cpio zip unzip 7z 7za ar rpm dpkg apt apt-get yum dnf brew snap flatpak
	dd tee install cp mv ln rm chmod chown truncate shred split csplit sort ctags ack ag mysql psql sqlite sqlite3 mongosh redis-cli
	start wmic rundll mshta cscript wscript regsvr certutil bitsadmin msbuild forfiles schtasks reg`)
