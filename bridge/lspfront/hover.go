package lspfront

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"

	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

type hoverParams struct {
	documentParams
	Position wirePosition `json:"position"`
}

// hover shows the pending hunks of a line, before and after.
func hover(s *server, p hoverParams) (any, error) {
	nothing := jsontext.Value("null")
	path, err := s.docs.path(p.TextDocument.URI)
	if err != nil {
		return nothing, nil // of something that is no file
	}
	f, now, _ := s.pendingIn(path)
	here := actionPlace{s: s, path: path, r: wireRange{p.Position, p.Position}}
	var parts []string
	var over *protocol.Range
	for _, h := range here.touched(now, f.Hunks) {
		if over == nil {
			r := plain.HunkRange(now, s.client.enc, h)
			over = &r
		}
		parts = append(parts, "Copilot "+plain.Did(f, h)+"\n\n"+hunkDiff(h))
	}
	if parts == nil {
		return nothing, nil
	}
	return &protocol.Hover{
		Contents: &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: strings.Join(parts, "\n\n---\n\n")},
		Range:    over,
	}, nil
}

// hunkDiff is a hunk as a fenced diff, cut at maxHover.
func hunkDiff(h review.Hunk) string {
	text := diff.Unified("before", "after", h.OldText, h.NewText, 3)
	if _, rest, ok := strings.Cut(text, "\n+++ after\n"); ok {
		text = rest
	}
	if head := escape.HeadLines(text, maxHover); len(head) < len(text) {
		text = strings.TrimSuffix(head, "\n") + "\n… the rest: copilot-bridge.showDiff\n"
	}
	return escape.Fenced("diff", escape.Lines(strings.ReplaceAll(text, "\r\n", "\n")))
}
