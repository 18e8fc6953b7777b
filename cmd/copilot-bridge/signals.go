package main

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/internal/guard"
)

// interruptStatus is how a shell sees a command that Ctrl-C ended.
const interruptStatus = 130

// signals is the life of a command: its context ends with SIGTERM, SIGINT or SIGHUP, a second signal ends the process
// at once, and so does an orderly end that takes too long.
type signals struct {
	ctx context.Context
	*guard.Lifetime
}

// watchSignals begins it. interrupt, if not nil, is asked first at each Ctrl-C and says whether that was enough.
func watchSignals(parent context.Context, interrupt func() bool) *signals {
	ctx, l := guard.Watch(parent, interrupt)
	return &signals{ctx, l}
}

// orError is the error of a command that a signal ended: the exit status is the shell's, 128 and the signal's number.
func (s *signals) orError(err error) error {
	if code := s.ExitCode(exitOK); code != exitOK {
		return &exitError{code}
	}
	return err
}
