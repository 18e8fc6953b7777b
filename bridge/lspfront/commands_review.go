package lspfront

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
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
