package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"

	"github.com/spf13/cobra"

	"github.com/copilot-bridge/copilot-bridge/acp/agent"
)

// login runs the agent's own login in this terminal, and ends as it does.
// program is its command, nil for Copilot.
func login(cmd *cobra.Command, program []string) error {
	words := []string{defaultAgent}
	if len(program) > 0 {
		words = slices.DeleteFunc(slices.Clone(program), func(w string) bool { return w == "--acp" || w == "--stdio" })
	}
	path, err := agent.LookPath(words[0], os.Environ())
	if err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	child := exec.CommandContext(cmd.Context(), path, append(words[1:], "login")...)
	child.Stdin, child.Stdout, child.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	err = child.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return &exitError{exit.ExitCode()}
	}
	if err != nil {
		return fmt.Errorf("sign in by %s login: %w", words[0], err)
	}
	return nil
}
