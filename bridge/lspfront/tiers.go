package lspfront

import (
	"context"
	"errors"
	"sync/atomic"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
)

var concernNames = [plain.Concerns]string{"updates", "permission", "review", "input", "terminal", "save", "diagnostics", "focus", "status", "language"}

// tiers says for each concern whether the plugin does it. A plugin that answers its own method with an error has lost
// that concern for the connection.
type tiers [plain.Concerns]atomic.Bool

func (t *tiers) set(e extension) {
	if e.Version != 1 {
		return // an extension of another version is not spoken here
	}
	for c, on := range [plain.Concerns]bool{e.Updates, e.Permission, e.Review, e.Input, e.Terminal, e.Save, e.Diagnostics, e.Focus, e.Status, e.Language} {
		t[c].Store(on)
	}
}

// Rich says whether a plugin does a concern.
func (t *tiers) Rich(c plain.Concern) bool { return t[c].Load() }

// fall moves a concern back to the plain tier; true the first time.
func (t *tiers) fall(c plain.Concern) bool { return t[c].CompareAndSwap(true, false) }

// Call calls the editor and waits. A ctx that ends withdraws the request with $/cancelRequest. Not to be called on the
// reading goroutine.
func (s *server) Call(ctx context.Context, method string, params, result any) error {
	return protocol.Call(ctx, s.conn, method, params, result)
}

// callRich calls a method of the plugin's. An error of the plugin takes the concern back for good.
func (s *server) callRich(ctx context.Context, c plain.Concern, method string, params, result any) error {
	raw, err := marshal(params)
	if err != nil {
		return err
	}
	var answer jsonrpc2.RawMessage
	if err := s.Call(ctx, method, raw, &answer); err != nil {
		var refused *jsonrpc2.Error
		if ctx.Err() == nil && errors.As(err, &refused) && s.fall(c) {
			s.log.Warn().Err(err).Str("method", method).Msgf("the editor failed at its own method: %s goes back to plain LSP", concernNames[c])
			s.plain.Took(c)
		}
		return err
	}
	if len(answer) == 0 || string(answer) == "null" || result == nil {
		return nil
	}
	return unmarshal(answer, result)
}

// Notify sends a notification. It is queued; nobody waits for the editor.
func (s *server) Notify(method string, params any) {
	if err := s.conn.Notify(s.life, method, params); err != nil && s.life.Err() == nil {
		s.log.Debug().Err(err).Str("method", method).Msg("notify")
	}
}

// notifyRich sends a notification of our own.
func (s *server) notifyRich(method string, params any) {
	raw, err := marshal(params)
	if err != nil {
		s.log.Error().Err(err).Str("method", method).Msg("encode")
		return
	}
	s.Notify(method, raw)
}
