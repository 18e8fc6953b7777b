package lspfront

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

type hunkPlace struct {
	URI   string    `json:"uri"`
	Range wireRange `json:"range"`
	Hunk  string    `json:"hunk"`
}

// nextHunk shows the pending hunk after the one it showed last, the first one after the last.
func nextHunk(q *asked, _ none) (any, error) {
	s := q.s
	all := s.pendingByFile(q.b)
	if len(all) == 0 {
		s.message(protocol.MessageTypeInfo, "Copilot: nothing is left to review")
		return nil, nil
	}
	h := s.user.nextHunk(all)
	now, _ := s.Text(h.path)
	where := plain.HunkRange(now, s.client.enc, h.Hunk)
	focus := true
	s.Behind("show the next hunk", func(ctx context.Context) error {
		show := &protocol.ShowDocumentParams{URI: uri.URI(s.URI(h.path)), TakeFocus: &focus, Selection: &where}
		if !s.Show(ctx, show) {
			s.message(protocol.MessageTypeInfo, fmt.Sprintf("next: %s:%d", h.path, h.StartLine+1))
		}
		return nil
	})
	return hunkPlace{s.URI(h.path), s.hunkRange(now, h.Hunk), h.ID}, nil
}

type shown struct {
	URI string `json:"uri"`
}

// showDiff writes what is pending to a file and shows it.
func showDiff(q *asked, _ none) (any, error) {
	s := q.s
	dir := s.o.Bridge.StateDir
	if dir == "" {
		return nil, invalid("there is no state folder to write a diff to; set XDG_STATE_HOME or HOME")
	}
	path := filepath.Join(dir, "pending.diff")
	if err := durable.Replace(path, []byte(s.pendingDiff(q.b))); err != nil {
		return nil, fmt.Errorf("write the diff: %w", err)
	}
	s.Behind("show the diff", func(ctx context.Context) error {
		s.showFile(ctx, path, "the diff to review")
		return nil
	})
	return shown{uriOf(path)}, nil
}

// pendingDiff is everything pending as one unified diff.
func (s *server) pendingDiff(b *bridge.Bridge) string {
	var out strings.Builder
	for _, f := range b.Review(s.life, review.Filter{}) {
		if f.Binary {
			fmt.Fprintf(&out, "Binary file %s: %s\n", f.Path, f.Kind)
			continue
		}
		before, after := f.Path, f.Path
		switch f.Kind {
		case review.KindCreate:
			before = os.DevNull
		case review.KindDelete:
			after = os.DevNull
		case review.KindMove:
			before = f.From
			fmt.Fprintf(&out, "rename from %s\nrename to %s\n", f.From, f.Path)
		}
		base, _ := b.Base(f.Path)
		now, _ := s.Text(f.Path)
		out.WriteString(diff.Unified(before, after, base, now.String(), 3))
	}
	return out.String()
}
