package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// shells are those that completions are made for.
var shells = map[string]func([]topic) string{"bash": bash, "fish": fish, "powershell": powershell, "zsh": zsh}

// completionCommand prints what a shell reads to complete this program's commands and flags.
func completionCommand(_ context.Context, args []string, _ io.Reader, stdout, _ io.Writer) error {
	plain, _, err := parse(flags("completion"), args, stdout)
	if err != nil {
		return err
	}
	which := "one of " + strings.Join(slices.Sorted(maps.Keys(shells)), ", ")
	if len(plain) != 1 {
		return &usageError{"completion takes the name of a shell", which}
	}
	write := shells[plain[0]]
	if write == nil {
		return &usageError{fmt.Sprintf("there are no completions for %q", plain[0]), which}
	}
	all, err := topics()
	if err != nil {
		return err
	}
	_, err = io.WriteString(stdout, write(all))
	return err
}

func names(all []topic) string {
	list := make([]string, 0, len(all)+1)
	for _, t := range all {
		list = append(list, t.name)
	}
	return strings.Join(append(list, "help"), " ")
}

// words are what may stand behind a command: its verbs and flags.
func (t *topic) words() string {
	list := slices.Clone(t.verbs)
	for _, o := range t.options {
		list = append(list, o.flags...)
	}
	return strings.Join(append(list, "--help"), " ")
}

func bash(all []topic) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("# bash completion of copilot-bridge")
	p("_copilot_bridge() {\n  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n  COMPREPLY=()")
	p("  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W \"%s\" -- \"$word\"))\n    return\n  fi", names(all))
	p("  case \"${COMP_WORDS[1]} $before\" in")
	for _, t := range all {
		for _, o := range t.options {
			what := "return" // a word of the user's own
			switch {
			case o.value == "DIR":
				what = `COMPREPLY=($(compgen -d -- "$word")); return`
			case o.isFile():
				what = `COMPREPLY=($(compgen -f -- "$word")); return`
			case o.value == "":
				continue
			}
			for _, f := range o.flags {
				p("    %q) %s ;;", t.name+" "+f, what)
			}
		}
	}
	p("  esac\n  case \"${COMP_WORDS[1]}\" in")
	for _, t := range all {
		if len(t.synopsis) > 0 {
			p("    %s) words=%q ;;", t.name, t.words())
		}
	}
	p("    help) words=%q ;;\n  esac", names(all))
	p("  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\ncomplete -o default -F _copilot_bridge copilot-bridge")
	return b.String()
}

// quoted is a word in single quotes, as all but bash take it here; doubled is what stands for a quote inside.
func quoted(s, doubled string) string { return "'" + strings.ReplaceAll(s, "'", doubled) + "'" }

func zsh(all []topic) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	entry := func(name, says string) string { // a colon divides the two
		return quoted(strings.ReplaceAll(name, ":", `\:`)+":"+says, `'\''`)
	}
	p("#compdef copilot-bridge\n_copilot-bridge() {\n  local -a entries\n  if (( CURRENT == 2 )); then\n    entries=(")
	for _, t := range all {
		p("      %s", entry(t.name, t.says))
	}
	p("      'help:more about one')\n    _describe command entries\n    return\n  fi\n  case \"$words[2] $words[CURRENT-1]\" in")
	for _, t := range all {
		for _, o := range t.options {
			what := "_message " + quoted(o.value, `'\''`)
			switch {
			case o.value == "":
				continue
			case o.value == "DIR":
				what = "_files -/"
			case o.isFile():
				what = "_files"
			}
			for _, f := range o.flags {
				p("    %s) %s; return ;;", quoted(t.name+" "+f, `'\''`), what)
			}
		}
	}
	p("  esac\n  case $words[2] in")
	for _, t := range all {
		if len(t.synopsis) == 0 {
			continue
		}
		var list []string
		for _, v := range t.verbs {
			list = append(list, entry(v, ""))
		}
		for _, o := range t.options {
			for _, f := range o.flags {
				list = append(list, entry(f, o.says))
			}
		}
		p("    %s) entries=(%s) ;;", t.name, strings.Join(append(list, entry("--help", "more about it")), " "))
	}
	p("    help) entries=(%s) ;;\n  esac\n  _describe word entries || _files\n}", names(all))
	p("if [ \"$funcstack[1]\" = _copilot-bridge ]; then _copilot-bridge \"$@\"; else compdef _copilot-bridge copilot-bridge; fi")
	return b.String()
}

func fish(all []topic) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	q := func(s string) string { return quoted(strings.ReplaceAll(s, `\`, `\\`), `\'`) }
	p("# fish completion of copilot-bridge")
	for _, t := range all {
		p("complete -c copilot-bridge -n __fish_use_subcommand -f -a %s -d %s", t.name, q(t.says))
	}
	p("complete -c copilot-bridge -n __fish_use_subcommand -f -a help -d 'more about one'")
	p("complete -c copilot-bridge -n '__fish_seen_subcommand_from help' -f -a %s", q(names(all)))
	for _, t := range all {
		if len(t.synopsis) == 0 {
			continue
		}
		when := q("__fish_seen_subcommand_from " + t.name)
		if len(t.verbs) > 0 {
			p("complete -c copilot-bridge -n %s -f -a %s", when, q(strings.Join(t.verbs, " ")))
		}
		for _, o := range append(t.options, option{flags: []string{"--help"}, says: "more about it"}) {
			for _, f := range o.flags {
				name := "-l " + strings.TrimPrefix(f, "--")
				if !strings.HasPrefix(f, "--") {
					name = "-o " + strings.TrimPrefix(f, "-")
				}
				if o.value != "" {
					name += " -r"
				}
				if !o.isFile() {
					name += " -f"
				}
				p("complete -c copilot-bridge -n %s %s -d %s", when, name, q(o.says))
			}
		}
	}
	return b.String()
}

func powershell(all []topic) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	list := func(words string) string {
		var out []string
		for w := range strings.FieldsSeq(words) {
			out = append(out, quoted(w, "''"))
		}
		return "@(" + strings.Join(out, ", ") + ")"
	}
	p("# PowerShell completion of copilot-bridge")
	p("Register-ArgumentCompleter -Native -CommandName copilot-bridge, copilot-bridge.exe -ScriptBlock {\n  param($word, $ast, $at)")
	p("  $said = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $at } | ForEach-Object { $_.Extent.Text })")
	p("  $words = switch ($said.Count -gt 1 ? $said[1] : '') {")
	p("    '' { %s }", list(names(all)))
	for _, t := range all {
		if len(t.synopsis) > 0 {
			p("    %s { %s }", quoted(t.name, "''"), list(t.words()))
		}
	}
	p("    'help' { %s }\n    default { @() }\n  }", list(names(all)))
	p("  $words | Where-Object { $_ -like \"$word*\" } | ForEach-Object {")
	p("    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)\n  }\n}")
	return b.String()
}
