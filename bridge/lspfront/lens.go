package lspfront

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
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
	if err != nil || s.tiers.rich(plain.Review) {
		return out, nil
	}
	b, err := s.bridge()
	if err != nil {
		return out, nil
	}
	now, _ := s.textOf(path)
	for _, f := range b.Review(s.life, review.Filter{Path: path}) {
		for _, h := range f.Hunks {
			at := plain.HunkRange(now, s.client.enc, h)
			at.End = at.Start
			out = append(out, protocol.CodeLens{Range: at, Command: s.lens("keep", "", hunkParams{h.ID})})
			if h.Undoable {
				out = append(out, protocol.CodeLens{Range: at, Command: s.lens("undo", "", hunkParams{h.ID})})
			}
		}
	}
	return out, nil
}
