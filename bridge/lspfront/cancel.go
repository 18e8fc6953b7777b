package lspfront

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/jsonrpc2"

	"github.com/copilot-bridge/copilot-bridge/bridge"
)

type cancelRequestParams struct {
	ID jsontext.Value `json:"id"`
}

// cancelRequest ends the context of a request; its handler still answers. An id that is not open means nothing.
func cancelRequest(s *server, p cancelRequestParams) error {
	var id jsonrpc2.ID
	if err := unmarshal(p.ID, &id); err != nil {
		return err
	}
	if cancel, ok := s.open.Load(id); ok {
		cancel.(context.CancelFunc)()
	}
	return nil
}

type progressCancelParams struct {
	Token jsontext.Value `json:"token"`
}

// progressCancel cancels the turn of a token.
func progressCancel(s *server, p progressCancelParams) error {
	session, turn, ok := s.plain.TurnOf(p.Token)
	if !ok {
		return fmt.Errorf("no turn reports under the token %s", p.Token)
	}
	b, err := s.Bridge()
	if err != nil {
		return err
	}
	return b.Cancel(session, bridge.Cancellation{Turn: turn})
}
