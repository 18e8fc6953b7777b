package lspfront

import (
	"context"

	"go.lsp.dev/jsonrpc2"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// frames is what a stream of the LSP library can: messages, and frames of several.
type frames interface {
	jsonrpc2.Stream
	ReadFrame(ctx context.Context) ([]byte, int64, error)
	WriteFrame(ctx context.Context, data []byte) (int64, error)
}

// stream is the library's, and runs what [acp.WhenQueued] put into the context of a message once that is in the queue to the editor. Of
// a call the library itself says no more than that the answer has come.
type stream struct{ frames }

func newStream(w *wire) jsonrpc2.Stream {
	s := jsonrpc2.NewHeaderStream(w)
	if f, ok := s.(frames); ok {
		return stream{f}
	}
	return s
}

// Write implements [jsonrpc2.Stream].
func (s stream) Write(ctx context.Context, m jsonrpc2.Message) (int64, error) {
	n, err := s.frames.Write(ctx, m)
	if err == nil {
		acp.Queued(ctx)
	}
	return n, err
}
