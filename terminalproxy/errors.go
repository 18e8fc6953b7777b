package terminalproxy

import (
	"errors"
	"fmt"
)

var (
	// ErrUnknownTerminal says that the session has no terminal of that id: it was never made, or it was released.
	ErrUnknownTerminal = errors.New("unknown terminal: it was never created in this session, or it was released")
	// ErrReleased is what a terminal's methods return once it is released: an answer for anyone who came too late.
	ErrReleased = errors.New("the terminal was released")
	// ErrClosed says that the session or the bridge was closed while the command was being started.
	ErrClosed = errors.New("the session was closed; the command was not run")
	// ErrTooManyTerminals is wrapped by the error of a Create over a limit.
	ErrTooManyTerminals = errors.New("too many terminals")
	// ErrShellChanged says that a shell has another folder or environment than the caller knows; nothing was started.
	ErrShellChanged = errors.New("an earlier command has changed the shell meanwhile; nothing was run")
	// ErrInvalid is wrapped by errors that no retry helps: the request itself cannot be carried out.
	ErrInvalid = errors.New("invalid terminal request")
)

func invalid(format string, a ...any) error {
	return &invalidError{fmt.Sprintf(format, a...)}
}

type invalidError struct{ text string }

func (e *invalidError) Error() string        { return e.text }
func (e *invalidError) Is(target error) bool { return target == ErrInvalid }
