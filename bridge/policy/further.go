package policy

import (
	"path/filepath"
	"slices"
	"strings"
)

// Named is what a word of a command, or a part of it, is if it is a path, from the folder that the command runs in.
type Named struct {
	Word string // as it stands in the command
	Part bool   // Path is only a part of it
	Path Path
}

// WordParts are what a word of a command may name, the word itself first: each piece between its colons and commas, and of a flag
// only the value that is written with it.
func WordParts(w string) (parts []string) {
	if strings.HasPrefix(w, "-") {
		_, value, has := strings.Cut(w, "=")
		if !has {
			return nil
		}
		w = value
	}
	parts = []string{w}
	if pieces := strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune(":,@=", r) }); len(pieces) > 1 || len(pieces) == 1 && pieces[0] != w {
		parts = append(parts, pieces...)
	}
	return parts
}

// LeavesWords says whether a rule of the user's leaves words of a command open: then [Request.Named] matters.
func (e *Engine) LeavesWords() bool {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return slices.ContainsFunc(e.rules, func(r Rule) bool { return r.Decision == Allow && strings.HasSuffix(r.Command, " "+anyWords) })
}

// wordSeen is what is known of a word of a command.
type wordSeen struct {
	asks   bool // a file that it names asks by what it is, or is one that a rule of the user's keeps from the agent
	exists bool // it, or a part of it, names something
	folder bool // it names a folder
}

// lookAt gathers what is known of the words of a command. Caller holds mu.
func (e *Engine) lookAt(q Request) map[string]wordSeen {
	if len(q.Named) == 0 {
		return nil
	}
	out := map[string]wordSeen{}
	for _, n := range q.Named {
		p, w := n.Path, out[n.Word]
		_, kept := e.keeps(p, q)
		w.asks = w.asks || kept
		w.exists = w.exists || p.Exists
		w.folder = w.folder || !n.Part && p.Exists && p.Folder
		out[n.Word] = w
	}
	return out
}

// keeps says whether a path asks whatever is done with it, or a rule of the configuration denies something about it, or asks; and why.
// Caller holds mu.
func (e *Engine) keeps(p Path, q Request) (why string, ok bool) {
	if what, ok := e.control(p); ok {
		return "it decides what runs or what is asked: " + what, true
	}
	if what, ok := Secret(p); ok {
		return "it may hold secrets: " + what, true
	}
	switch {
	case p.Outside:
		return "it is outside the session's folders", true
	case p.Nameless:
		return "it may have further names", true
	case slices.ContainsFunc(e.rules, func(r Rule) bool { return r.Decision != Allow && r.Path != "" && r.coversPath(p, q) }):
		return "a rule of yours is about it", true
	}
	return "", false
}

// Keeps is that for a path that is named in a session's folder, by something of which it is not known what it does with it. home is
// the user's.
func (e *Engine) Keeps(p Path, cwd, home string) (why string, ok bool) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.keeps(p, Request{Cwd: cwd, Home: home})
}

// coversFurther says whether the words of a command from own on may stand where a rule has a *. They are bare words and paths that
// do not ask, and flags that are known to be harmless with a bare word for a value. Where a word before names what may be read,
// also the standard input, a further word that is no folder may be a file that is written.
func (r Request) coversFurther(words []string, own int) bool {
	input := false
	for i, w := range words[1:] {
		seen, known := r.words[w]
		flag := strings.HasPrefix(w, "-")
		if i+1 >= own {
			switch {
			case !known && len(WordParts(w)) > 0, seen.asks:
				return false
			case flag && (seen.exists || !harmlessFlag(w, words)):
				return false
			case !flag && (!bareWord(w, words) || input && !seen.folder && !readsAll(words[0])):
				return false
			case own == 1 && !flag && i == 0 && slices.Contains(runs, w):
				return false
			}
		}
		subcommand := i+1 < own && !strings.ContainsAny(w, "./")
		input = input || w == "-" || !flag && seen.exists && !subcommand
	}
	return true
}

// bareWord says whether a word that is no flag names no program, no code, no file that is asked about by its name, and nothing
// that is given to another.
func bareWord(w string, command []string) bool {
	program := programName(command[0])
	if strings.ContainsRune("+@", rune(w[0])) || strings.Contains(w, "=") || slices.ContainsFunc(WordParts(w), telling) || leadsUp(w) {
		return false
	}
	if name := programName(w); name != "" && runsOthers(w) {
		return false
	}
	return !slices.Contains(subcommands[program], w) && (program != "dotnet" || !strings.ContainsAny(w, "./"))
}

// leadsUp says whether a word may be a path that goes up, or is on a drive: where that leads is for each program to say.
func leadsUp(w string) bool {
	up := slices.Contains(strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune(`/\:,`, r) }), "..")
	return up || strings.HasPrefix(w, `\`) || len(w) > 1 && w[1] == ':' || filepath.VolumeName(w) != ""
}

// readsAll says whether a program only reads what its words name, however many there are.
func readsAll(program string) bool { return slices.Contains(readers, programName(program)) }

// readers are such programs, or they take all their words for what is checked or tested.
var readers = strings.Fields(`cat tac head tail wc nl ls du stat file grep egrep fgrep rg diff cmp comm cksum mdsum shasum md5sum sha256sum go gofmt cargo pytest jest
	vitest mocha eslint prettier stylelint tsc mypy pyright pylint flake8 ruff black isort shellcheck golangci-lint rubocop phpunit phpstan dotnet`)

// runs are words with which many programs run or fetch what comes after.
var runs = strings.Fields(`run exec eval do sh shell script tool generate repl install add get update upgrade publish deploy push task build-script plugin alias config`)
