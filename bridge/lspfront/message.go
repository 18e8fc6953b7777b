package lspfront

import (
	"context"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
)

// message shows one line to the user.
func (s *server) message(t protocol.MessageType, text string) { s.plain.Message(t, text) }

// Show has the editor show something; false if it did not. Not on the reading goroutine.
func (s *server) Show(ctx context.Context, p *protocol.ShowDocumentParams) bool {
	if !s.client.showDocument {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, plain.CallLimit)
	defer cancel()
	var r protocol.ShowDocumentResult
	if err := s.Call(ctx, protocol.MethodWindowShowDocument, p, &r); err != nil {
		s.log.Debug().Err(err).Msg("window/showDocument")
		return false
	}
	return r.Success
}

// showFile shows a file, or says where it is to an editor that cannot be asked to show one.
func (s *server) showFile(ctx context.Context, path, what string) {
	focus := true
	if !s.Show(ctx, &protocol.ShowDocumentParams{URI: uri.URI(s.URI(path)), TakeFocus: &focus}) {
		s.message(protocol.MessageTypeInfo, what+": "+path)
	}
}
