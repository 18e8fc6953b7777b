package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// shells are those that completions are made for. Each script asks this program what may stand where the cursor is.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// bareBash has the script work in a bash without the package bash-completion.
const bareBash = `if ! declare -F _get_comp_words_by_ref >/dev/null; then
  _get_comp_words_by_ref() {
    words=("${COMP_WORDS[@]}")
    cword=$COMP_CWORD
    cur=${words[cword]}
    prev=${words[cword-1]}
  }
fi
`

func completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "print completions for " + strings.Join(shells[:3], ", ") + " or " + shells[3],
		Long: "Prints what a shell reads to complete commands, flags and session ids. Packages install it; otherwise have your shell read it when " +
			"it starts. SHELL is one of " + strings.Join(shells, ", ") + ".",
		Example:   "  source <(copilot-bridge completion bash)",
		ValidArgs: shells,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return &usageError{"completion takes the name of a shell", "one of " + strings.Join(shells, ", ")}
			case !slices.Contains(shells, args[0]):
				return &usageError{fmt.Sprintf("there are no completions for %q", args[0]), "one of " + strings.Join(shells, ", ")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			w := cmd.OutOrStdout()
			switch args[0] {
			case "zsh":
				return cmd.Root().GenZshCompletion(w)
			case "fish":
				return cmd.Root().GenFishCompletion(w, true)
			case "powershell":
				return cmd.Root().GenPowerShellCompletionWithDesc(w)
			}
			if _, err := io.WriteString(w, bareBash); err != nil {
				return err
			}
			return cmd.Root().GenBashCompletionV2(w, true)
		},
	}
}

func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man",
		Short:   "print the manual page",
		Long:    "Prints the manual page: all that --help says of every command.",
		Example: "  copilot-bridge man | man -l -",
		Args:    takesNone("it takes none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), manual(cmd.Root(), version()))
			return err
		},
	}
}

// manual is a page for man(1), in the macros that man, mandoc and groff share.
func manual(root *cobra.Command, version string) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p(`.TH COPILOT\-BRIDGE 1 "" "copilot\-bridge %s" "User Commands"`, roff(version))
	p(".SH NAME\ncopilot\\-bridge \\- %s", roff(root.Short))
	p(".SH SYNOPSIS\n.B copilot\\-bridge\n.I COMMAND\n[\\fIflags\\fR]")
	p(".SH DESCRIPTION")
	for _, text := range strings.Split(root.Long, "\n\n") {
		p(".PP\n%s", line(text))
	}
	p(".SH COMMANDS")
	var all []*cobra.Command
	for _, g := range groups(root) {
		for _, c := range g.commands {
			all = append(all, c)
			p(".TP\n.B %s\n%s", roff(c.Name()), line(c.Short))
		}
	}
	for _, c := range all {
		p(".SH %s", roff(strings.ToUpper(c.Name())))
		for _, use := range usages(c) {
			p(".PP\n.B %s", roff(use))
		}
		for _, text := range strings.Split(about(c), "\n\n") {
			p(".PP\n%s", line(text))
		}
		for _, below := range c.Commands() {
			p(".TP\n.B %s\n%s", roff(below.Use), line(below.Short))
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" {
				return
			}
			value, says := pflag.UnquoteUsage(f)
			head := `\fB` + roff("--"+f.Name) + `\fR`
			if f.Shorthand != "" {
				head = `\fB` + roff("-"+f.Shorthand) + `\fR, ` + head
			}
			if value != "" {
				head += ` \fI` + roff(value) + `\fR`
			}
			p(".TP\n%s\n%s", head, line(says))
		})
		if c.Example != "" {
			p(".PP\nExample:\n.PP\n.nf\n.RS")
			for e := range strings.Lines(c.Example) {
				p("%s", line(strings.TrimSpace(e)))
			}
			p(".RE\n.fi")
		}
	}
	p(".SH EXIT STATUS")
	for _, e := range exitStatus {
		p(".TP\n.B %d\n%s", e.code, line(e.says))
	}
	return b.String()
}

// roff writes a text so that the formatter changes nothing about it: no dash becomes a hyphen, no apostrophe a quote.
func roff(s string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "~", `\(ti`, "^", `\(ha`).Replace(s)
}

// line is roff for a line of text: one that begins with a control character would be a command.
func line(s string) string {
	if s == "" {
		return `\&`
	}
	if s[0] == '.' || s[0] == '\'' {
		return `\&` + roff(s)
	}
	return roff(s)
}
