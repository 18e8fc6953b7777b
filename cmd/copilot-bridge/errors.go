package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// exitError carries an exit code that is not the usual one; its text, if any, has been shown.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit status %d", e.code) }

// usageError is a wrong command line and what would be right.
type usageError struct{ what, hint string }

func (e *usageError) Error() string { return e.what }

// hintedError is a failure and what to do about it.
type hintedError struct{ what, hint string }

func (e *hintedError) Error() string { return e.what }

// exitCode shows an error, with what to do about it on a line of its own, and says how the process ends.
func exitCode(stderr io.Writer, err error) int {
	var exit *exitError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &exit):
		return exit.code
	}
	what, hint := explain(err)
	fmt.Fprintln(stderr, "copilot-bridge:", escape.Text(what))
	if hint != "" {
		fmt.Fprintln(stderr, "hint:", escape.Text(hint))
	}
	if errors.As(err, new(*usageError)) {
		return exitUsage
	}
	return exitFailed
}

// explain is an error in the words of the command line, and what to do about it here, "" if there is nothing to say.
func explain(err error) (what, hint string) {
	var (
		usage  *usageError
		hinted *hintedError
		start  *agent.StartError
		told   *bridge.Error
	)
	switch {
	case errors.As(err, &usage):
		return usage.what, usage.hint
	case errors.As(err, &hinted):
		return hinted.what, hinted.hint
	case errors.As(err, &start) && start.Kind == agent.NotFound && start.Name == defaultAgent:
		return "GitHub Copilot CLI not found in PATH", "npm install -g @github/copilot, or --agent /path/to/copilot"
	case errors.As(err, &start):
		what = fmt.Sprintf("cannot start the agent %s: %s", start.Name, start.Reason)
		switch start.Kind {
		case agent.NotFound, agent.NotExecutable:
			return what, "name its program with --agent /path/to/program"
		}
		return what, start.Hint
	case errors.As(err, &told):
		if told.Code == bridge.CodeSessionNotFound {
			return told.Message, "copilot-bridge sessions lists them"
		}
		return cmp.Or(told.Message, err.Error()), told.Hint
	}
	return err.Error(), ""
}
