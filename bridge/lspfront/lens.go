package lspfront

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge/review"
)

// codeLens puts Keep and Undo above each pending hunk, unless a plugin shows them itself.
func codeLens(_ context.Context, s *Server, raw jsontext.Value) (any, error) {
	var p struct {
		TextDocument struct {
			URI string `json:"uri"`
		} `json:"textDocument"`
	}
	if err := unmarshal(raw, &p); err != nil {
		return nil, invalid(err.Error())
	}
	out := []protocol.CodeLens{}
	path, err := s.docs.path(p.TextDocument.URI)
	if err != nil || s.tiers.rich(concernReview) {
		return out, nil
	}
	b, err := s.bridge()
	if err != nil {
		return out, nil
	}
	now, _ := s.textOf(path)
	for _, f := range b.Review(s.life, review.Filter{Path: path}) {
		for _, h := range f.Hunks {
			at := hunkLines(now, s.client.enc, h)
			at.End = at.Start
			out = append(out, protocol.CodeLens{Range: at, Command: s.lens("keep", "", hunkParams{h.ID})})
			if h.Undoable {
				out = append(out, protocol.CodeLens{Range: at, Command: s.lens("undo", "", hunkParams{h.ID})})
			}
		}
	}
	return out, nil
}

// refreshLenses has the editor ask for lenses again, where it can be told to. One request is under way at a time; what
// is wanted meanwhile is one more.
func (p *plainTier) refreshLenses() {
	if !p.s.client.lensRefresh || p.s.tiers.rich(concernReview) || p.lenses.Add(1) != 1 {
		return
	}
	p.s.work.Go(func() {
		for n := p.lenses.Load(); ; n = p.lenses.Load() {
			ctx, cancel := context.WithTimeout(p.s.life, callLimit)
			err := p.s.call(ctx, protocol.MethodWorkspaceCodeLensRefresh, nil, nil)
			cancel()
			if err != nil {
				p.s.log.Debug().Err(err).Msg("workspace/codeLens/refresh")
			}
			if p.lenses.CompareAndSwap(n, 0) {
				return
			}
		}
	})
}
