package bridge

import (
	"fmt"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
)

// Error is a failure as an editor is told of it. Code is the JSON-RPC code of docs/protocol.md.
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

// Refusal is a tool call the bridge did not carry out because the rules or the user said no.
type Refusal = permission.Refusal
