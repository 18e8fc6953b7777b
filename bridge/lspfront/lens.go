package lspfront

import (
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
)

// codeLens puts Keep and Undo above each pending hunk, unless a plugin shows them itself.
func codeLens(s *server, p documentParams) (any, error) {
	out := []protocol.CodeLens{}
	path, err := s.docs.path(p.TextDocument.URI)
	if err != nil || s.Rich(plain.Review) {
		return out, nil
	}
	f, now, _ := s.pendingIn(path)
	for _, h := range f.Hunks {
		at := plain.HunkRange(now, s.client.enc, h)
		at.End = at.Start
		out = append(out, protocol.CodeLens{Range: at, Command: s.lens("keep", "", hunkParams{Hunk: h.ID})})
		if h.Undoable {
			out = append(out, protocol.CodeLens{Range: at, Command: s.lens("undo", "", hunkParams{Hunk: h.ID})})
		}
	}
	return out, nil
}
