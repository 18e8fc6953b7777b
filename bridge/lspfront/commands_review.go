package lspfront

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
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

// undoTurnCommand undoes a turn, with what was kept of it: the one of the oldest pending hunk where none is named. Where
// nothing is pending the person is asked first.
func undoTurnCommand(s *Server, a turnArgs) (any, error) {
	b, err := s.bridge()
	if err != nil {
		return nil, err
	}
	turn := a.TurnID
	if all := s.pending(b); turn == "" && len(all) > 0 {
		turn = all[0].Turn
	}
	if turn != "" {
		s.behind("undo", func(ctx context.Context) error { return s.undoTurn(ctx, b, turn) })
		return nil, nil
	}
	last, paths := b.LastTurn()
	if last == "" {
		return nil, invalid("no turn is left that could be undone")
	}
	s.behind("undo", func(ctx context.Context) error {
		var names []string
		for _, p := range paths {
			names = append(names, filepath.Base(p))
		}
		const leave, undo = "Leave it", "Undo the turn"
		what := clipEnd(escape.Inline(strings.Join(names, ", ")), maxTitle)
		title, err := s.plain.questions.offer(ctx, "Copilot: nothing is to be reviewed. Undo the last turn, whose changes were kept ("+what+")?", []string{leave, undo})
		switch {
		case err != nil && ctx.Err() == nil:
			return fmt.Errorf("nothing is to be reviewed; to undo the last turn, whose changes were kept, run copilot-bridge.undoTurn with turnId %s", last)
		case title != undo:
			return nil
		}
		return s.undoTurn(ctx, b, last)
	})
	return nil, nil
}

// undoTurn undoes a whole turn. What was kept of it and cannot be taken back is named too.
func (s *Server) undoTurn(ctx context.Context, b *bridge.Bridge, turn string) error {
	s.plain.undoing.Lock()
	defer s.plain.undoing.Unlock()
	_, conflicts := b.Undo(ctx, review.Selector{Turn: turn, Kept: true})
	if len(conflicts) == 0 {
		return nil
	}
	c := conflicts[0]
	where := ""
	if c.Path != "" {
		where = filepath.Base(c.Path) + ": "
	}
	if n := len(conflicts) - 1; n > 0 {
		return fmt.Errorf("%s%s (and %d more)", where, c.Reason, n)
	}
	return errors.New(where + c.Reason)
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
