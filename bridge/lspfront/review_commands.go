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
	"github.com/copilot-bridge/copilot-bridge/bridge/lspfront/plain"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

type hunkParams struct {
	Hunk  string     `json:"hunk,omitzero"`
	URI   string     `json:"uri,omitzero"`
	Range *wireRange `json:"range,omitzero"`
}

type fileParams struct {
	URI string `json:"uri,omitzero"`
}

// pendingHunk is a pending hunk and its file.
type pendingHunk struct {
	path string
	review.Hunk
}

// pendingByFile are all pending hunks, from the first file to the last.
func (s *server) pendingByFile(b *bridge.Bridge) (out []pendingHunk) {
	for _, f := range b.Review(s.life, review.Filter{}) {
		for _, h := range f.Hunks {
			out = append(out, pendingHunk{f.Path, h})
		}
	}
	return out
}

// pending are all pending hunks, those of older turns first.
func (s *server) pending(b *bridge.Bridge) []pendingHunk {
	out := s.pendingByFile(b)
	slices.SortStableFunc(out, func(x, y pendingHunk) int { return cmp.Compare(turnNumber(x.Turn), turnNumber(y.Turn)) })
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

// decision is made about what is pending of a selection.
type decision func(q *asked, sel review.Selector)

func keepPending(q *asked, sel review.Selector) { q.b.Keep(sel) } // what is no longer pending is decided already

// undoPending undoes behind the answer. A hunk that is not pending has been undone by the edit that came with the command,
// and counts as done.
func undoPending(q *asked, sel review.Selector) {
	q.s.Behind("undo", func(ctx context.Context) error {
		q.s.undoing.Lock()
		defer q.s.undoing.Unlock()
		_, conflicts := q.b.Undo(ctx, sel)
		still := map[string]bool{}
		for _, h := range q.s.pending(q.b) {
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

// hunkVerb decides about a hunk or about lines, the oldest pending hunk where nothing is named.
func hunkVerb(decide decision) func(*asked, hunkParams) (any, error) {
	return func(q *asked, p hunkParams) (any, error) {
		if p.URI != "" || p.Range != nil {
			if p.URI == "" || p.Range == nil || p.Hunk != "" {
				return nil, invalid("name a hunk, or uri and range")
			}
			path, err := q.s.path(p.URI)
			if err == nil {
				decide(q, review.Selector{Path: path, Lines: p.Range.lines()})
			}
			return nil, err
		}
		if all := q.s.pending(q.b); p.Hunk == "" && len(all) > 0 {
			p.Hunk = all[0].ID
		}
		if p.Hunk != "" {
			decide(q, review.Selector{Hunks: []string{p.Hunk}})
		}
		return nil, nil
	}
}

// fileVerb decides about the hunks of a file, or all where none is named.
func fileVerb(decide decision) func(*asked, fileParams) (any, error) {
	return func(q *asked, p fileParams) (any, error) {
		sel := review.Selector{All: true}
		if p.URI != "" {
			path, err := q.s.path(p.URI)
			if err != nil {
				return nil, err
			}
			sel = review.Selector{Path: path}
		}
		decide(q, sel)
		return nil, nil
	}
}

// undoTurn undoes a turn, with what was kept of it: the one of the oldest pending hunk where none is named. Where nothing
// is pending the user is asked first.
func undoTurn(q *asked, p turnIDParams) (any, error) {
	if all := q.s.pending(q.b); p.TurnID == "" && len(all) > 0 {
		p.TurnID = all[0].Turn
	}
	if p.TurnID != "" {
		q.s.Behind("undo", func(ctx context.Context) error { return q.undoWhole(ctx, p.TurnID) })
		return nil, nil
	}
	last, paths := q.b.LastTurn()
	if last == "" {
		return nil, invalid("there is no turn left to undo")
	}
	q.s.Behind("undo", func(ctx context.Context) error {
		var names []string
		for _, p := range paths {
			names = append(names, filepath.Base(p))
		}
		const leave, undo = "Leave it", "Undo the turn"
		what := escape.Clip(escape.Inline(strings.Join(names, ", ")), plain.MaxTitle)
		ask := "Copilot: nothing is left to review. Undo the last turn, whose changes you kept (" + what + ")?"
		otherwise := "Copilot: nothing is left to review; to undo the last turn, whose changes you kept, run copilot-bridge.undoTurn with turnId " + last
		if title, err := q.s.plain.Offer(ctx, ask, []string{leave, undo}, otherwise); title != undo {
			return err
		}
		return q.undoWhole(ctx, last)
	})
	return nil, nil
}

// undoWhole undoes a whole turn. What was kept of it and cannot be taken back is named too.
func (q *asked) undoWhole(ctx context.Context, turn string) error {
	q.s.undoing.Lock()
	defer q.s.undoing.Unlock()
	_, conflicts := q.b.Undo(ctx, review.Selector{Turn: turn, Kept: true})
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
