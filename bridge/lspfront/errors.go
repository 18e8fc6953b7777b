package lspfront

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json"
	"go.lsp.dev/jsonrpc2"

	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// codeCancelled is LSP's RequestCancelled.
const codeCancelled = -32800

// codeNotInitialized is LSP's ServerNotInitialized.
const codeNotInitialized = -32002

// errorData is the data of our own errors (docs/protocol.md).
type errorData struct {
	Retryable bool   `json:"retryable"`
	Hint      string `json:"hint,omitzero"`
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
	if data, merr := json.Marshal(errorData{e.Retryable, e.Hint}); merr == nil {
		out.Data = data
	}
	return out
}

func invalid(message string) error { return jsonrpc2.NewError(jsonrpc2.InvalidParams, message) }
