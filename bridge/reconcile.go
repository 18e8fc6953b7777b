package bridge

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// beforeCommand gets the workspace ready for a command: what the agent wrote is on disk, and what the command may
// change is known.
func (s *Session) beforeCommand(ctx context.Context, command string) error {
	if err := s.flush(ctx, command); err != nil {
		return err
	}
	hints := workspace.Hints{Command: command, Open: s.b.overlay.OpenPaths()}
	for _, f := range s.b.book.Files(review.Filter{}) {
		hints.Touched = append(hints.Touched, f.Path)
	}
	index, err := s.b.indexOf(s.Cwd)
	if err != nil {
		s.log.Warn().Err(err).Msg("what the command changes cannot be told")
		return nil
	}
	s.ran.Store(true)
	if err := index.Before(ctx, hints); err != nil {
		s.log.Warn().Err(err).Msg("index before a command")
	}
	return ctx.Err()
}

// indexOf is the index of a session's folder, kept between commands so that the second one pays for what changed.
func (b *Bridge) indexOf(dir string) (*workspace.Index, error) {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real // buffers and the review book go by real paths
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if x := b.indexes[dir]; x != nil {
		return x, nil
	}
	x, err := workspace.NewIndex(dir)
	if err == nil {
		b.indexes[dir] = x
	}
	return x, err
}

// wrote tells the indexes of a file that was written or removed by us, so that it is not taken for a command's change.
func (b *Bridge) wrote(path string) {
	b.mu.Lock()
	indexes := slices.Collect(maps.Values(b.indexes))
	b.mu.Unlock()
	for _, x := range indexes {
		x.Wrote(path)
	}
}

// watchCommand compares the workspace when a command has ended, also one that nobody waits for.
func (s *Session) watchCommand(ctx context.Context, t *terminalproxy.Terminal) {
	turn := turnOf(ctx)
	s.work.Go(func() {
		if _, err := t.Wait(s.life); err == nil {
			s.reconcile(s.life, turn)
		}
	})
}

// byteOrderMark is part of a file's bytes and no part of its text.
const byteOrderMark = "\uFEFF"

// reconcile turns what commands changed on disk into reviewable changes of the turn. Open buffers get the new text by
// merge; a file that was closed is on disk already and only its change is noted.
func (s *Session) reconcile(ctx context.Context, turn string) {
	s.sweep.Lock()
	defer s.sweep.Unlock()
	index, err := s.b.indexOf(s.Cwd)
	if err != nil {
		return
	}
	changes, err := index.After(ctx)
	if err != nil {
		s.log.Warn().Err(err).Msg("index after a command")
		return
	}
	for _, c := range changes {
		if err := s.reconcileFile(withTurn(ctx, turn), c); err != nil {
			s.b.out.push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "conflict",
				Message: fmt.Sprintf("a command changed %s, and that could not be brought into the editor: %v", s.short(c.Path), err),
				Data:    map[string]any{"path": c.Path}}})
		}
	}
}

func (s *Session) reconcileFile(ctx context.Context, c workspace.Change) error {
	before, wasBOM := strings.CutPrefix(string(c.Before), byteOrderMark)
	after, isBOM := strings.CutPrefix(string(c.After), byteOrderMark)
	snap, open := s.b.overlay.Lookup(c.Path)
	if open && c.Kind != workspace.Deleted && snap.Text.String() == after {
		return nil // the person saved it, or the editor has it already
	}
	if now, known := s.b.book.Text(c.Path); known && c.Kind != workspace.Deleted && now == after {
		return nil // written by an editor tool meanwhile
	}
	ch := review.Change{
		Session: s.ID, Turn: turnOf(ctx), Path: c.Path, Kind: review.KindEdit, BeforeExists: c.Kind != workspace.Created,
		Before: before, After: after, Mode: c.Mode, BOM: wasBOM || c.Kind == workspace.Created && isBOM,
	}
	switch c.Kind {
	case workspace.Created:
		ch.Kind = review.KindCreate
	case workspace.Deleted:
		ch.Kind = review.KindDelete
	}
	switch {
	case !c.HasBefore:
		ch.NoImage = "its text before the command is not known"
	case !c.HasAfter:
		ch.NoImage = "it is too large to show"
	case !utf8.Valid(c.Before) || !utf8.Valid(c.After):
		ch.NoImage = "it is not text"
	}
	if open && c.Kind != workspace.Deleted && ch.NoImage == "" {
		t, err := s.resolve(c.Path)
		if err != nil {
			return err
		}
		_, err = s.write(ctx, t, after, &before)
		return err
	}
	p, err := s.b.book.Begin(ch)
	if err != nil {
		return err
	}
	p.Commit(ch.After)
	return nil
}
