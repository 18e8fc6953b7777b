package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/copilot-bridge/copilot-bridge/bridge/acpfront"
)

// Groups of commands in the program's own help.
const (
	groupStart   = "start"
	groupKept    = "kept"
	groupEditors = "editors"
	groupProgram = "program"
)

// newRoot is the whole command line: its help, its completions and its manual page are made of it.
func newRoot() *cobra.Command {
	var showVersion, signIn bool
	root := &cobra.Command{
		Use:   "copilot-bridge",
		Short: "connect your editor to GitHub Copilot CLI",
		Long: "copilot-bridge connects your editor to GitHub Copilot CLI. Copilot reads what is in your editor, unsaved text included, and asks " +
			"before it changes a file or runs a command. You keep or undo what it changed, hunk by hunk.\n\n" +
			"It is not a sandbox: docs/dev/security.md says what is protected and what is not.",
		Example: "  copilot-bridge demo\n  copilot-bridge prompt \"add a test for parse() and run it\"",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 0:
				return &usageError{fmt.Sprintf("there is no command %q", args[0]), suggestion(cmd.SuggestionsFor(args[0]), "copilot-bridge --help")}
			case showVersion:
				return printVersion(cmd.OutOrStdout(), false)
			case signIn:
				return login(cmd, nil)
			case isTerminal(cmd.InOrStdin()):
				printHelp(cmd, cmd.ErrOrStderr())
				return &exitError{exitUsage}
			}
			return serveLSP(cmd, nil, lspFlags{})
		},
		SilenceUsage: true, SilenceErrors: true, SuggestionsMinimumDistance: suggestionDistance,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.Flags().BoolVarP(&showVersion, "version", "V", false, "print the version")
	root.Flags().BoolVar(&signIn, strings.TrimPrefix(acpfront.LoginFlag, "--"), false, "sign in to Copilot")
	_ = root.Flags().MarkHidden(strings.TrimPrefix(acpfront.LoginFlag, "--")) // an editor gives it, after its own arguments
	root.AddGroup(&cobra.Group{ID: groupStart, Title: "Start here:"}, &cobra.Group{ID: groupEditors, Title: "For editors:"},
		&cobra.Group{ID: groupKept, Title: "What is kept:"}, &cobra.Group{ID: groupProgram, Title: "The program:"})
	add := func(group string, commands ...*cobra.Command) {
		for _, c := range commands {
			c.GroupID = group
			root.AddCommand(c)
		}
	}
	help := helpCommand()
	add(groupStart, demoCommand(), doctorCommand(), promptCommand(), reviewCommand())
	add(groupEditors, acpCommand(), lspCommand(), replayCommand())
	add(groupKept, permissionsCommand(), sessionsCommand())
	add(groupProgram, completionCommand(), manCommand(), versionCommand(), help)
	root.AddCommand(mcpCommand()) // the agent starts it, not the user
	root.SetHelpCommand(help)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { printHelp(cmd, cmd.OutOrStdout()) })
	root.SetFlagErrorFunc(flagError)
	return root
}

// run is main without the process around it.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	root := newRoot()
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetArgs(shieldText(root, args))
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		forShells(root)
	}
	return root.ExecuteContext(ctx)
}

// forShells takes from what the flags say the quotes around the names of their values: a shell shows it as it is.
func forShells(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { _, f.Usage = pflag.UnquoteUsage(f) })
	for _, below := range cmd.Commands() {
		forShells(below)
	}
}

// takesNone refuses arguments; hint is what to do about one.
func takesNone(hint string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 && cmd.ArgsLenAtDash() < 0 {
			return nil
		}
		return &usageError{fmt.Sprintf("%s takes no argument %q", cmd.Name(), strings.Join(args, " ")), hint}
	}
}

// takesVerbs is for a command that does one of several things, which are its own commands, and the first of them when none is named.
func takesVerbs(cmd *cobra.Command, args []string) error {
	switch {
	case cmd.ArgsLenAtDash() >= 0:
		return &usageError{cmd.Name() + " starts no program", "leave out -- and what follows"}
	case len(args) == 0:
		return nil
	}
	cmd.SuggestionsMinimumDistance = suggestionDistance
	return &usageError{fmt.Sprintf("%s has no %q", cmd.Name(), args[0]), suggestion(cmd.SuggestionsFor(args[0]), cmd.CommandPath()+" --help")}
}
