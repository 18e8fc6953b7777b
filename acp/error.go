package acp

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Error codes of JSON-RPC 2.0 and ACP v1. Any other 32-bit number may occur.
const (
	CodeParse            = -32700 // the line was not JSON
	CodeInvalidRequest   = -32600 // the line was not a JSON-RPC 2.0 message
	CodeMethodNotFound   = -32601
	CodeInvalidParams    = -32602
	CodeInternal         = -32603
	CodeRequestCancelled = -32800
	CodeAuthRequired     = -32000
	CodeResourceNotFound = -32002
)

// ErrClosed is wrapped by every error that says the connection is no more.
var ErrClosed = errors.New("connection closed")

// Error is the error member of a JSON-RPC response, read or to be sent. Data is
// any JSON value or nil.
type Error struct {
	Code    int            `json:"code"`
	Message string         `json:"message"`
	Data    jsontext.Value `json:"data,omitzero"`
}

// Errorf makes an Error without data.
func Errorf(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// answerError turns what a handler answered with into what is sent: an *Error
// as it is, a cancelled context as "request cancelled", anything else as an
// internal error with its text.
func answerError(err error) *Error {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled):
		return &Error{Code: CodeRequestCancelled, Message: "request cancelled"}
	default:
		return &Error{Code: CodeInternal, Message: err.Error()}
	}
}
