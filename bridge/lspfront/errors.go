package lspfront

import (
	"cmp"
	"context"
	"errors"

	"github.com/go-json-experiment/json"
	"go.lsp.dev/jsonrpc2"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// codeCancelled is LSP's RequestCancelled.
const codeCancelled = -32800

// codeNotInitialized is LSP's ServerNotInitialized.
const codeNotInitialized = -32002

// errorData is the data of our own errors (docs/dev/protocol.md).
type errorData struct {
	Retryable bool   `json:"retryable"`
	Reason    string `json:"reason"`          // what went wrong: the message without the hint
	Hint      string `json:"hint,omitzero"`   // what to do
	HeldBy    string `json:"heldBy,omitzero"` // the process that has the session open: it may be about to end
}

// dataOf is what a client may act on.
func dataOf(e *bridge.Error) errorData {
	data := errorData{Retryable: e.Retryable, Reason: escape.Text(e.Message), Hint: escape.Text(e.Hint)}
	var held *store.HeldError
	if errors.As(e, &held) {
		data.HeldBy = escape.Inline(cmp.Or(held.Holder, "another process"))
	}
	return data
}

// wireError gives an error its code and data.
func wireError(err error) error {
	var known *jsonrpc2.Error
	if errors.As(err, &known) {
		return known
	}
	var e *bridge.Error
	if errors.Is(err, context.Canceled) {
		return jsonrpc2.NewError(codeCancelled, "cancelled")
	}
	if !errors.As(err, &e) {
		return jsonrpc2.NewError(jsonrpc2.InternalError, err.Error())
	}
	out := jsonrpc2.NewError(jsonrpc2.Code(e.Code), e.Error())
	if data, merr := json.Marshal(dataOf(e)); merr == nil {
		out.Data = data
	}
	return out
}

func invalid(message string) error { return jsonrpc2.NewError(jsonrpc2.InvalidParams, message) }
