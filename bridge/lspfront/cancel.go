package lspfront

import (
	"context"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/jsonrpc2"
)

// openCalls are the editor's requests that have no answer yet, so that $/cancelRequest finds them.
type openCalls struct {
	mu   sync.Mutex
	byID map[jsonrpc2.ID]context.CancelFunc
}

// begin opens a request; done ends it.
func (o *openCalls) begin(life context.Context, id jsonrpc2.ID) (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancel(life)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.byID == nil {
		o.byID = map[jsonrpc2.ID]context.CancelFunc{}
	}
	o.byID[id] = cancel
	return ctx, func() {
		o.mu.Lock()
		delete(o.byID, id)
		o.mu.Unlock()
		cancel()
	}
}

type cancelRequestParams struct {
	ID jsontext.Value `json:"id"`
}

// cancelRequest ends the context of a request; its handler still answers. An id that is not open means nothing.
func cancelRequest(s *server, p cancelRequestParams) error {
	var id jsonrpc2.ID
	if err := unmarshal(p.ID, &id); err != nil {
		return err
	}
	s.open.mu.Lock()
	cancel := s.open.byID[id]
	s.open.mu.Unlock()
	if cancel != nil {
		cancel()
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
	return b.Cancel(session, turn)
}
