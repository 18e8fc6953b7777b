package copilot

import (
	"path"
	"strings"
)

// IsCopilot says whether a command line starts Copilot CLI: as `copilot`, through Node, or through npx and its likes.
func IsCopilot(command []string) bool { return program(command) > 0 }

// Program is the part of a command line that names Copilot, without its arguments; nil if it is not Copilot.
func Program(command []string) []string {
	if n := program(command); n > 0 {
		return command[:n:n]
	}
	return nil
}

// program is how many words of a command line name Copilot, 0 if it is not Copilot. The rest are its arguments.
func program(command []string) int {
	for i, word := range command {
		switch {
		case isCopilot(word):
			if i+1 < len(command) && isCopilot(command[i+1]) {
				continue // npx -p @github/copilot copilot
			}
			return i + 1
		case i == 0 && !launchers[base(word)], i > 0 && !launcherWords[word] && !strings.HasPrefix(word, "-") && !strings.Contains(word, "="):
			return 0 // some other program; "copilot" further on is an argument of its own
		}
	}
	return 0
}

// launchers start a program that is named further on, after options, variables and launcherWords.
var (
	launchers     = map[string]bool{"node": true, "bun": true, "bunx": true, "npx": true, "npm": true, "pnpm": true, "pnpx": true, "yarn": true, "env": true}
	launcherWords = map[string]bool{"exec": true, "dlx": true, "x": true, "run": true}
)

// isCopilot knows the program by its name, and the npm package by its own.
func isCopilot(word string) bool {
	if word == "" || strings.HasPrefix(word, "-") {
		return false
	}
	name := base(word)
	if name == "copilot" || strings.HasPrefix(name, "copilot-linux-") || strings.HasPrefix(name, "copilot-darwin-") || strings.HasPrefix(name, "copilot-win32-") {
		return true
	}
	p := "/" + strings.ReplaceAll(strings.ToLower(word), "\\", "/")
	return strings.Contains(p, "/@github/copilot/") || strings.HasSuffix(p, "/@github/copilot") || strings.Contains(p, "/@github/copilot@")
}

// base is the last part of a path of any system, without what Windows adds.
func base(word string) string {
	b := strings.ToLower(path.Base(strings.ReplaceAll(word, "\\", "/")))
	for _, ext := range []string{".exe", ".cmd", ".bat", ".ps1"} {
		b = strings.TrimSuffix(b, ext)
	}
	return b
}
