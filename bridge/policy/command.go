package policy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// anyWords, as the last word of a rule's command, stands for further plain words, or for none.
const anyWords = "*"

// checkCommand says why the command of a rule is no plain words.
func (r Rule) checkCommand() error {
	words := strings.Fields(r.Command)
	switch {
	case r.Command == "":
		return nil
	case len(r.Argv) > 0 || r.Path != "":
		return errors.New("command goes without argv and path")
	case r.Tool != ToolShell && r.Tool != ToolAny:
		return fmt.Errorf("command goes with the tool shell, not with %s", r.Tool)
	case len(words) == 0 || words[0] == anyWords || strings.Join(words, " ") != r.Command || len(r.Command) > maxPlainArgv:
		return fmt.Errorf("command is %q; write the program and plain words with one blank between, such as \"go test *\"", r.Command)
	}
	for i, w := range words {
		if w == anyWords && i == len(words)-1 {
			break
		}
		if !plainWord(w) {
			return fmt.Errorf("command has the word %q; a word is letters, digits and ./_-+:,@=, and * stands alone at the end", w)
		}
	}
	if program := words[0]; r.Decision == Allow && (strings.Contains(program, "=") || takesCode(program)) {
		return fmt.Errorf("command cannot allow %s: it runs whatever code it is given", program)
	}
	if r.Decision != Allow || words[len(words)-1] != anyWords {
		return nil
	}
	program, sub := words[0], 1
	for strings.HasPrefix(words[sub], "+") { // rustup's toolchains
		sub++
	}
	switch name := programName(program); {
	case runsOthers(program), slices.Contains(subcommands[name], words[sub]):
		return fmt.Errorf("command cannot allow %s with a *: it runs others, or what a file says; write the command out", program)
	case hasSubcommands(name) && (words[sub] == anyWords || words[sub][0] == '-'):
		return fmt.Errorf("command cannot allow whatever %s does: it has subcommands that run or write anything; write one out, such as %q", program, program+" test *")
	}
	return nil
}

// coversPlain says whether a rule's command allows one: all of it is plain words, and those of the rule.
func (r Rule) coversPlain(q Request) bool {
	words, ok := PlainWords(q.Argv)
	if !ok || len(q.Env) > 0 || takesCode(words[0]) || slices.ContainsFunc(words, interprets) {
		return false
	}
	own := strings.Fields(r.Command)
	fixed, more := strings.CutSuffix(r.Command, " "+anyWords)
	if !more {
		return slices.Equal(words, own)
	}
	own = strings.Fields(fixed)
	return len(words) >= len(own) && slices.Equal(words[:len(own)], own) && !runsOthers(words[0]) && q.coversFurther(words, len(own))
}

// plainWord says whether a word is made of characters that no shell reads as anything but themselves.
func plainWord(w string) bool {
	return w != "" && !strings.ContainsFunc(w, func(r rune) bool { return r == ' ' || r != '=' && !plainRune(r) })
}

// PlainWords are the words of a command that is nothing but plain words, as a shell reads it; false for all others.
func PlainWords(argv []string) ([]string, bool) {
	line := LineOf(argv)
	if line == "" {
		line = strings.Join(argv, " ")
		if slices.ContainsFunc(argv, func(w string) bool { return !plainWord(w) }) {
			return nil, false
		}
	}
	if len(line) > maxPlainArgv || strings.ContainsFunc(line, func(r rune) bool { return r != '=' && !plainRune(r) }) {
		return nil, false
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil || len(file.Stmts) != 1 || len(file.Last) > 0 {
		return nil, false
	}
	s := file.Stmts[0]
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || s.Negated || s.Background || s.Coprocess || len(s.Redirs) > 0 || len(s.Comments) > 0 || len(call.Assigns) > 0 {
		return nil, false
	}
	words, ok := literals(call)
	if !ok || !slices.Equal(words, strings.Fields(line)) || slices.ContainsFunc(words, func(w string) bool { return !plainWord(w) }) {
		return nil, false
	}
	return words, true
}

// literals are the words of a call; false if one of them is not what it says.
func literals(call *syntax.CallExpr) (words []string, ok bool) {
	for _, w := range call.Args {
		if len(w.Parts) != 1 {
			return words, false
		}
		lit, isLit := w.Parts[0].(*syntax.Lit)
		if !isLit {
			return words, false
		}
		words = append(words, lit.Value)
	}
	return words, len(words) > 0
}

// beginsAny says whether the rule's words begin any command of those that a command may be: a pipe has several. It is for rules that
// deny or ask, and need not be exact.
func (r Rule) beginsAny(argv []string) bool {
	fixed, more := strings.CutSuffix(r.Command, " "+anyWords)
	own := strings.Fields(fixed)
	begins := func(words []string) bool {
		return len(words) >= len(own) && (more || len(words) == len(own)) && slices.Equal(words[:len(own)], own)
	}
	line := LineOf(argv)
	if line == "" || len(line) > maxAuditText {
		return begins(argv)
	}
	found := false
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil { // a shell runs the lines before a mistake
		return slices.ContainsFunc(strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(";&|\n(){}`", r) }), func(part string) bool {
			return begins(strings.Fields(part))
		})
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok {
			words, _ := literals(call)
			found = found || begins(words)
		}
		return !found
	})
	return found
}

// interprets says whether a word is an interpreter: whatever stands before it, it runs what comes after.
func interprets(word string) bool {
	name := programName(word)
	return slices.Contains(interpreters, name) || strings.HasPrefix(name, "python")
}

// takesCode says whether a program runs the code that it is given, in an argument or a file.
func takesCode(word string) bool {
	name := programName(word)
	return interprets(word) || slices.Contains(codeTakers, name) || strings.HasPrefix(name, "bash-") || strings.HasPrefix(name, "busybox")
}

// codeTakers are such programs beside the interpreters that are looked for behind any command.
var codeTakers = strings.Fields(`rbash mksh elvish nu toybox pypy ipython irb nodejs deno bun ts-node tsx luajit awk gawk mawk nawk sed ed ex vi vim nvim emacs
	env xargs command builtin source sudo doas su nohup setsid timeout time nice parallel watch ssh find fd entr gdb lldb strace script expect tclsh wish racket runghc ghc ocaml
	erl elixir iex julia r rscript octave scala groovy jshell java kotlin swift osascript wsl bc dc jq yq m`)
