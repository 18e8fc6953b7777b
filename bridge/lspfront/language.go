package lspfront

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/jsonrpc2"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// languageRequest is one request of LSP for the editor's own language servers; it is answered with LSP's result. Positions count what
// the connection with the bridge counts, in both directions.
//
//wire:ask language/request any
type languageRequest struct {
	Method string         `json:"method"`
	Params jsontext.Value `json:"params"`
}

// languageFailure is the data of an error that answers it.
type languageFailure struct {
	Reason string `json:"reason" enum:"noServer,notSupported"`
}

// Languages implements [bridge.Editor].
func (e editor) Languages(context.Context, string) (bridge.LanguageServers, error) {
	if !e.s.tiers.Rich(plain.Language) {
		return nil, bridge.ErrUnsupported
	}
	return languages{e.s}, nil
}

// languages are the editor's own language servers, as its plugin passes them on.
type languages struct{ s *server }

// Request implements [bridge.LanguageServers]. An error is about one request: the plugin does not lose the concern by it.
func (l languages) Request(ctx context.Context, method string, params any) (jsontext.Value, error) {
	raw, err := marshal(params)
	if err != nil {
		return nil, err
	}
	request, err := marshal(languageRequest{method, jsontext.Value(raw)})
	if err != nil {
		return nil, err
	}
	var answer jsonrpc2.RawMessage
	err = l.s.Call(ctx, prefix+"language/request", request, &answer)
	var refused *jsonrpc2.Error
	if ctx.Err() == nil && errors.As(err, &refused) {
		var why languageFailure
		_ = unmarshal(refused.Data, &why) // data of another kind says nothing
		switch {
		case why.Reason == "noServer":
			return nil, host.ErrNoServer
		case why.Reason == "notSupported" || refused.Code == jsonrpc2.MethodNotFound:
			return nil, bridge.ErrUnsupported
		}
		return nil, errors.New(refused.Message)
	}
	return jsontext.Value(answer), err
}

// URI implements [bridge.LanguageServers].
func (l languages) URI(path string) string { return l.s.docs.uri(path) }

// Path implements [bridge.LanguageServers].
func (l languages) Path(uri string) (string, error) { return l.s.docs.path(uri) }

// Encoding implements [bridge.LanguageServers].
func (l languages) Encoding() text.Encoding { return l.s.client.enc }

// spokenParams has diagnostics/get wait until the language servers of a file have spoken about its present text.
type spokenParams struct {
	URI string `json:"uri"`
	MS  int64  `json:"ms"` // at most so long
}

// Diagnosed implements [bridge.Editor].
func (e editor) Diagnosed(ctx context.Context, path string) (bridge.Diagnosed, error) {
	s := e.s
	if !s.tiers.Rich(plain.Diagnostics) {
		return bridge.Diagnosed{}, bridge.ErrUnsupported
	}
	limit := plain.CallLimit
	if until, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(until)-answerMargin)
	}
	r, err := s.diagnostics(ctx, diagnosticsParams{Spoken: &spokenParams{s.docs.uri(path), max(0, limit.Milliseconds())}})
	return bridge.Diagnosed{Files: s.filesOf(r), Servers: host.ServerState(r.Servers)}, err
}

// answerMargin is how much earlier the editor is to answer than the bridge wants to know.
const answerMargin = 100 * time.Millisecond
