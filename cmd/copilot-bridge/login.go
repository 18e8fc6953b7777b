package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/bridge/acpfront"
)

// wantsLogin finds the word that an editor puts behind the command it starts the bridge with, or in the place of its arguments
// (ACP v1 authentication); program is the agent of that command, nil for Copilot.
func wantsLogin(args []string) (program []string, ok bool) {
	last := len(args) - 1
	if args[last] != acpfront.LoginFlag || last > 0 && args[0] != "acp" {
		return nil, false
	}
	if i := slices.Index(args[:last], "--"); i >= 0 {
		program = args[i+1 : last]
	}
	return program, true
}

// login runs the agent's own login in this terminal, and ends as it does.
func login(ctx context.Context, program []string, stdin io.Reader, stdout, stderr io.Writer) error {
	words := []string{"copilot"}
	if len(program) > 0 {
		words = slices.DeleteFunc(slices.Clone(program), func(w string) bool { return w == "--acp" || w == "--stdio" })
	}
	path, err := agent.LookPath(words[0], os.Environ())
	if err != nil {
		return fmt.Errorf("sign in: %w\nhint: Copilot CLI comes with `npm install -g @github/copilot`; then try again", err)
	}
	cmd := exec.CommandContext(ctx, path, append(words[1:], "login")...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return &exitError{exit.ExitCode()}
	}
	if err != nil {
		return fmt.Errorf("sign in by %s login: %w", words[0], err)
	}
	return nil
}
