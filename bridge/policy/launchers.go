package policy

import (
	_ "embed"
	"slices"
	"strings"
)

// subcommands are those of otherwise plain programs that run what is in a file.
var subcommands = map[string][]string{
	"go":      {"run", "generate", "tool", "get", "install", "env", "telemetry", "mod", "work"},
	"cargo":   {"run", "install", "script", "xtask", "bench"},
	"dotnet":  {"run", "script", "tool", "exec"},
	"flutter": {"run", "pub"}, "dart": {"run", "pub"}, "mix": {"run", "eval", "do"}, "code": {"tunnel"},
}

// hasSubcommands says whether the first word of a program decides what it does, and one of them runs what others say, or writes
// anything.
func hasSubcommands(name string) bool {
	return len(subcommands[name]) > 0 || slices.Contains(manySided, name)
}

// manySided are further such programs.
var manySided = strings.Fields(`rustup ruff golangci-lint buf dune opam gleam rebar ng next vite vitest prisma playwright rails symfony firebase wrangler vercel netlify
	supabase expo eas fastlane pod xcodebuild xcrun swiftlint mage bazelisk dvc terragrunt`)

// launchers are programs that run others, are told what to do by a file, or put a file in another's place. The list is a
// courtesy, not a protection. Numbers at the end of a name are left out, as in [programName].
var launchers = strings.Fields(launcherNames)

//go:embed launchers.txt
var launcherNames string

// interpreters are launchers that stand behind one that is not known here: whatever comes before them, they run what comes
// after.
var interpreters = strings.Fields(`sh bash zsh dash ash ksh fish csh tcsh cmd powershell pwsh python perl ruby node php lua eval exec`)

// launcherPrefixes begin the names of whole families of them.
var launcherPrefixes = []string{"git-", "ssh", "systemd-", "nix-", "busybox", "bash-", "ld-", "ld.so", "python", "qemu-", "docker-", "vim."}
