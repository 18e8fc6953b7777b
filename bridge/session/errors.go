package session

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/copilot-bridge/copilot-bridge/bridge/transcript/program"
)

// Error is a failure as an editor is told of it. Code is the JSON-RPC code of docs/dev/protocol.md.
type Error struct {
	Code      int
	Message   string // what was tried and what went wrong, one sentence
	Hint      string // what to do
	Retryable bool
	Err       error
}

// The codes an editor may see.
const (
	CodeNotSignedIn      = -32050
	CodeAgentUnavailable = -32051
	CodeSessionNotFound  = -32052
	CodeTurnInProgress   = -32053
	CodeStaleHunk        = -32054
	CodeDenied           = -32055
	CodeInvalidParams    = -32602
	CodeInternal         = -32603
)

func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + "; " + e.Hint
}

func (e *Error) Unwrap() error { return e.Err }

func errSession(id string) *Error {
	return &Error{Code: CodeSessionNotFound, Message: fmt.Sprintf("there is no session %q", id), Hint: "list the sessions and pick one"}
}

// transcriptError is a failed turn of the transcript agent as a front is told of it, nil for other errors.
func transcriptError(err error) *Error {
	var f *program.Failure
	if !errors.As(err, &f) {
		return nil
	}
	code := CodeAgentUnavailable
	if f.Reason == program.TooLong || f.Reason == program.RanWild {
		code = CodeInternal
	}
	return &Error{Code: code, Message: f.Message, Hint: f.Hint, Retryable: f.Reason != program.TooLong, Err: err}
}

func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
