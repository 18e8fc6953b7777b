package lspfront

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
)

type hunkArgs struct {
	Hunk string `json:"hunk,omitzero"`
}

type fileArgs struct {
	URI string `json:"uri,omitzero"`
}

type turnArgs struct {
	TurnID string `json:"turnId,omitzero"`
}

// found is a pending hunk and its file.
type found struct {
	path string
	review.Hunk
}

// pending are all pending hunks, those of older turns first.
func (s *Server) pending(b *bridge.Bridge) (out []found) {
	for _, f := range b.Review(s.life, review.Filter{}) {
		for _, h := range f.Hunks {
			out = append(out, found{f.Path, h})
		}
	}
	slices.SortStableFunc(out, func(x, y found) int { return cmp.Compare(turnNumber(x.Turn), turnNumber(y.Turn)) })
	return out
}

// turnNumber orders the turns of a run by their ids; those of runs before come first.
func turnNumber(id string) int {
	n, err := strconv.Atoi(id[strings.LastIndexByte(id, '-')+1:])
	if err != nil {
		return 0
	}
	return n
}

// oldest selects a hunk, the oldest pending one for "". False if there is none.
func (s *Server) oldest(b *bridge.Bridge, id string) (review.Selector, bool) {
	if id == "" {
		all := s.pending(b)
		if len(all) == 0 {
			return review.Selector{}, false
		}
		id = all[0].ID
	}
	return review.Selector{Hunks: []string{id}}, true
}

// inFile selects the hunks of a file, all of them for "".
func (s *Server) inFile(u string) (review.Selector, error) {
	if u == "" {
		return review.Selector{All: true}, nil
	}
	path, err := s.docs.path(u)
	if err != nil {
		return review.Selector{}, invalid(err.Error())
	}
	return review.Selector{Path: path}, nil
}

func keepCommand(s *Server, a hunkArgs) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	if sel, ok := s.oldest(b, a.Hunk); ok {
		b.Keep(sel) // one that is no longer pending is decided already
	}
	return nil, nil
}

func keepAllCommand(s *Server, a fileArgs) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	sel, err := s.inFile(a.URI)
	if err == nil {
		b.Keep(sel)
	}
	return nil, err
}

func undoCommand(s *Server, a hunkArgs) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	if sel, ok := s.oldest(b, a.Hunk); ok {
		s.undo(b, sel)
	}
	return nil, nil
}

func undoAllCommand(s *Server, a fileArgs) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	sel, err := s.inFile(a.URI)
	if err == nil {
		s.undo(b, sel)
	}
	return nil, err
}

func undoTurnCommand(s *Server, a turnArgs) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	turn := a.TurnID
	if turn == "" {
		all := s.pending(b)
		if len(all) == 0 {
			return nil, nil
		}
		turn = all[0].Turn
	}
	s.undo(b, review.Selector{Turn: turn})
	return nil, nil
}

// undo undoes what is still pending of a selection. A hunk that is not has been undone by the edit that came with the
// command, and counts as done.
func (s *Server) undo(b *bridge.Bridge, sel review.Selector) {
	s.behind("undo", func(ctx context.Context) error {
		s.plain.undoing.Lock()
		defer s.plain.undoing.Unlock()
		_, conflicts := b.Undo(ctx, sel)
		still := map[string]bool{}
		for _, h := range s.pending(b) {
			still[h.ID] = true
		}
		for _, c := range conflicts {
			if still[c.ID] {
				return fmt.Errorf("%s: %s", filepath.Base(c.Path), c.Reason)
			}
		}
		return nil
	})
}

type hunkPlace struct {
	URI   string    `json:"uri"`
	Range wireRange `json:"range"`
	Hunk  string    `json:"hunk"`
}

// nextHunkCommand shows the pending hunk after the one it showed last, the first one after the last.
func nextHunkCommand(s *Server, _ none) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	var all []found
	for _, f := range b.Review(s.life, review.Filter{}) {
		for _, h := range f.Hunks {
			all = append(all, found{f.Path, h})
		}
	}
	if len(all) == 0 {
		s.message(protocol.MessageTypeInfo, "Copilot has changed nothing that is still to be reviewed")
		return nil, nil
	}
	p := s.plain
	p.mu.Lock()
	i := slices.IndexFunc(all, func(h found) bool { return h.ID == p.next })
	h := all[(i+1)%len(all)]
	p.next = h.ID
	p.mu.Unlock()
	now, _ := s.textOf(h.path)
	where := hunkLines(now, s.client.enc, h.Hunk)
	focus := true
	s.behind("show the next hunk", func(ctx context.Context) error {
		show := &protocol.ShowDocumentParams{URI: uri.URI(s.docs.uri(h.path)), TakeFocus: &focus, Selection: &where}
		if !s.showDocument(ctx, show) {
			s.message(protocol.MessageTypeInfo, fmt.Sprintf("next: %s:%d", h.path, h.StartLine+1))
		}
		return nil
	})
	return hunkPlace{s.docs.uri(h.path), s.hunkRange(now, h.Hunk), h.ID}, nil
}

type shown struct {
	URI string `json:"uri"`
}

// showDiffCommand writes what is pending to a file and shows it.
func showDiffCommand(s *Server, _ none) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	dir := s.o.Bridge.StateDir
	if dir == "" {
		return nil, invalid("there is no state folder to write a diff to; set XDG_STATE_HOME or HOME")
	}
	path := filepath.Join(dir, "pending.diff")
	if err := replaceFile(path, []byte(s.pendingDiff(b))); err != nil {
		return nil, fmt.Errorf("write the diff: %w", err)
	}
	s.behind("show the diff", func(ctx context.Context) error {
		s.showFile(ctx, path, "what is to be reviewed")
		return nil
	})
	return shown{uriOf(path)}, nil
}

// pendingDiff is everything pending as one unified diff.
func (s *Server) pendingDiff(b *bridge.Bridge) string {
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
		now, _ := s.textOf(f.Path)
		out.WriteString(diff.Unified(before, after, base, now.String(), 3))
	}
	return out.String()
}

// replaceFile writes a private file whole or not at all.
func replaceFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".tmp-*") // 0600
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}
