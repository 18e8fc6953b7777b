package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/copilot-bridge/copilot-bridge/internal/wrap"
)

// Widths of help: that of the terminal, but no longer lines than somebody likes to read.
const (
	usualWidth = 80
	mostWidth  = 100
)

// exitStatus is what the program says of how it ends.
var exitStatus = []struct {
	code int
	says string
}{
	{exitOK, "done"}, {exitFailed, "failed"}, {exitUsage, "wrong usage"},
	{exitUnasked, "the turn is done, but a question was answered no because there was no terminal to ask at"}, {interruptStatus, "ended by Ctrl-C"},
}

// printHelp is --help of every command.
func printHelp(cmd *cobra.Command, w io.Writer) {
	width := usualWidth
	if size := sizeOf(w); size != nil {
		if cols, _ := size(); cols > 0 {
			width = min(cols, mostWidth)
		}
	}
	cmd.InitDefaultHelpFlag()
	var b strings.Builder
	paragraph := func(text, indent string) {
		for _, line := range wrap.Text(text, width-len(indent)) {
			b.WriteString(strings.TrimRight(indent+line, " ") + "\n")
		}
	}
	for i, use := range usages(cmd) {
		lead := "Usage: "
		if i > 0 {
			lead = "       "
		}
		for j, line := range wrap.Text(use, width-len(lead)) {
			if j > 0 {
				lead = "         "
			}
			b.WriteString(lead + line + "\n")
		}
	}
	for _, text := range strings.Split(about(cmd), "\n\n") {
		b.WriteByte('\n')
		paragraph(text, "")
	}
	for _, g := range groups(cmd) {
		fmt.Fprintf(&b, "\n%s\n", g.title)
		wide := 0
		for _, c := range g.commands {
			wide = max(wide, len(c.Name()))
		}
		for _, c := range g.commands {
			for i, line := range wrap.Text(c.Short, width-wide-4) {
				name := c.Name()
				if i > 0 {
					name = ""
				}
				fmt.Fprintf(&b, "  %-*s  %s\n", wide, name, line)
			}
		}
	}
	if flags := cmd.LocalFlags(); flags.HasAvailableFlags() {
		fmt.Fprintf(&b, "\nFlags:\n%s", flags.FlagUsagesWrapped(width))
	}
	if cmd.Example != "" {
		fmt.Fprintf(&b, "\nExample:\n%s\n", cmd.Example)
	}
	if !cmd.HasParent() {
		b.WriteByte('\n')
		paragraph(`"copilot-bridge COMMAND --help" says more about a command.`, "")
		var codes []string
		for _, e := range exitStatus {
			codes = append(codes, fmt.Sprintf("%d %s", e.code, e.says))
		}
		paragraph("Exit status: "+strings.Join(codes, "; ")+".", "")
	}
	_, _ = io.WriteString(w, b.String())
}

// about is the text of a command's help.
func about(cmd *cobra.Command) string {
	if cmd.Long == "" {
		return strings.ToUpper(cmd.Short[:1]) + cmd.Short[1:] + "."
	}
	return cmd.Long
}

// usages are the ways to call a command, with those of the commands below it.
func usages(cmd *cobra.Command) []string {
	if !cmd.HasParent() {
		return []string{"copilot-bridge COMMAND [flags]"}
	}
	lines := []string{cmd.CommandPath() + strings.TrimPrefix(cmd.Use, cmd.Name())}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			lines = append(lines, cmd.CommandPath()+" "+c.Use)
		}
	}
	return lines
}

// group is commands under a title.
type group struct {
	title    string
	commands []*cobra.Command
}

// groups are the commands below one, in the order of its help.
func groups(cmd *cobra.Command) []group {
	var all []group
	for _, g := range append(slices.Clone(cmd.Groups()), &cobra.Group{Title: "Commands:"}) {
		one := group{title: g.Title}
		for _, c := range cmd.Commands() {
			if c.GroupID == g.ID && c.IsAvailableCommand() {
				one.commands = append(one.commands, c)
			}
		}
		if len(one.commands) > 0 {
			all = append(all, one)
		}
	}
	return all
}

func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "say more about a command",
		Example: "  copilot-bridge help prompt",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				word := args[len(args)-1]
				return &usageError{fmt.Sprintf("there is no command %q", word), suggestion(cmd.Root().SuggestionsFor(word), "copilot-bridge --help")}
			}
			printHelp(found, cmd.OutOrStdout())
			return nil
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []cobra.Completion
			for _, c := range found.Commands() {
				if c.IsAvailableCommand() {
					names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}
