package lspfront

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// plainClient is the editor for the plain tier: [plain.Client].
type plainClient struct{ s *Server }

func (c plainClient) Call(ctx context.Context, method string, params, result any) error {
	return c.s.call(ctx, method, params, result)
}
func (c plainClient) Notify(method string, params any) { c.s.notify(method, params) }
func (c plainClient) Show(ctx context.Context, p *protocol.ShowDocumentParams) bool {
	return c.s.showDocument(ctx, p)
}
func (c plainClient) Rich(concern plain.Concern) bool { return c.s.tiers.rich(concern) }
func (c plainClient) Go(f func())                     { c.s.work.Go(f) }
func (c plainClient) Behind(what string, f func(context.Context) error) {
	c.s.behind(what, f)
}
func (c plainClient) Bridge() (*bridge.Bridge, error)      { return c.s.bridge() }
func (c plainClient) URI(path string) string               { return c.s.docs.uri(path) }
func (c plainClient) Text(path string) (text.Text, *int32) { return c.s.textOf(path) }
func (c plainClient) Encoding() text.Encoding              { return c.s.client.enc }
func (c plainClient) Selection() *bridge.Selection         { return c.s.actionSelection() }
func (c plainClient) DismissKeeps() bool                   { return c.s.config.onDismiss() == dismissKeeps }
func (c plainClient) Can() plain.Abilities {
	return plain.Abilities{Progress: c.s.client.progress, LensRefresh: c.s.client.lensRefresh}
}
