package host

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
)

// reconcile turns what commands changed on disk into reviewable changes of the turn. Open buffers get the new text by
// merge; a file that was closed is on disk already and only its change is noted.
func (s *Service) reconcile(ctx context.Context, turn string) {
	s.sweep.Lock()
	defer s.sweep.Unlock()
	index, err := s.all.Index(s.Cwd)
	if err != nil {
		return
	}
	changes, rest, err := index.After(ctx)
	if err != nil && ctx.Err() == nil {
		s.Log.Warn().Err(err).Msg("index after a command")
		s.notice("the folder is too large to compare after a command; some of its changes may be missing from the review")
	}
	changes = slices.DeleteFunc(changes, s.all.bookkeeping())
	defer s.Compared(turn, slices.DeleteFunc(slices.Clone(changes), s.known))
	turn = cmp.Or(turn, betweenTurns)
	s.tellNotes(changes)
	s.tellRest(rest)
	// Each is on record, and on disk, before it counts; several at once share the wait for the disk.
	var all sync.WaitGroup
	gate := make(chan struct{}, reconcileAtOnce)
	for _, c := range s.unmoved(changes) {
		gate <- struct{}{}
		all.Go(func() {
			defer func() { <-gate }()
			if err := s.reconcileFile(ctx, turn, c); err != nil {
				s.Tell(News{Kind: "conflict",
					Message: fmt.Sprintf("a command changed %s, but the editor could not take the change over: %v", s.Gate.Short(c.Path), err),
					Data:    map[string]any{"path": c.Path}})
			}
		})
	}
	all.Wait()
	s.accountOutside(ctx, turn)
}

// bookkeeping finds what the bridge and the agent write for themselves, in a session whose folder is the user's home.
func (h *Host) bookkeeping() func(workspace.Change) bool {
	var own []string
	for _, dir := range h.Own {
		if real, err := filepath.EvalSymlinks(dir); err == nil && dir != "" {
			own = append(own, real+string(filepath.Separator))
		}
	}
	return func(c workspace.Change) bool {
		return slices.ContainsFunc(own, func(dir string) bool { return strings.HasPrefix(c.Path, dir) })
	}
}

// unmoved takes the move of a file that is open in the editor for what it is there: its buffer stays where it was, so
// one file has gone and another one has come.
func (s *Service) unmoved(changes []workspace.Change) []workspace.Change {
	var out []workspace.Change
	for _, c := range changes {
		if _, open := s.all.Overlay.Lookup(c.From); open && c.Kind == workspace.Moved {
			out = append(out, workspace.Change{Path: c.From, Kind: workspace.Deleted, Before: c.Before, HasBefore: c.HasBefore, HasAfter: true, Mode: c.Mode})
			c.Kind, c.From, c.Before, c.HasBefore = workspace.Created, "", nil, true
		}
		out = append(out, c)
	}
	return out
}

// tellNotes tells of what a text does not show: a control file that is a link now, or one that may be run.
func (s *Service) tellNotes(changes []workspace.Change) {
	for _, c := range changes {
		if c.Note != "" {
			s.Tell(News{Kind: "notice",
				Message: fmt.Sprintf("%s, which decides what runs or what is asked, was changed beside its text: %s", s.Gate.Short(c.Path), c.Note),
				Data:    map[string]any{"path": c.Path}})
		}
	}
}

// tellRest tells of control files in folders that git ignores which are not told of one by one. There are hundreds after the
// install of a package manager, and whether one of them matters the user has to look at.
func (s *Service) tellRest(rest workspace.Rest) {
	if len(rest.More) > 0 {
		var where []string
		for _, dir := range slices.Sorted(maps.Keys(rest.More)) {
			if len(where) == maxRestFolders {
				where = append(where, fmt.Sprintf("in %d more folders", len(rest.More)-maxRestFolders))
				break
			}
			where = append(where, fmt.Sprintf("%d in %s", rest.More[dir], s.Gate.Short(dir)))
		}
		s.notice("more files that decide what runs or what is asked were changed in folders that git ignores, and are not in review: %s", strings.Join(where, ", "))
	}
	if rest.Cut {
		s.notice("the folders that git ignores are too large to be searched in time: files in them that decide what runs or what is asked may have changed without being told")
	}
}

func (s *Service) reconcileFile(ctx context.Context, turn string, c workspace.Change) error {
	before, wasBOM := strings.CutPrefix(string(c.Before), ByteOrderMark)
	after, isBOM := strings.CutPrefix(string(c.After), ByteOrderMark)
	gone := c.Kind == workspace.Deleted
	snap, open := s.all.Overlay.Lookup(c.Path)
	remark := wasBOM != isBOM && c.HasBefore && c.HasAfter && (c.Kind == workspace.Modified || c.Kind == workspace.Moved)
	if !gone && c.HasAfter && c.Note == "" && !(remark && before == after) {
		if saved, ok := s.all.Overlay.LastSaved(c.Path); ok && saved.String() == after {
			return nil // the user saved it
		}
		if now, known := s.all.Book.Text(c.Path); known && now == after && !open {
			return nil // written by an editor tool meanwhile
		}
	}
	if open && !c.HasBefore && !snap.Dirty && snap.Text.String() != after {
		before, c.HasBefore = snap.Text.String(), true // the buffer shows the file as it was
		c.Before = []byte(before)
		if isBOM { // which no buffer shows
			c.Before = []byte(ByteOrderMark + before)
		}
	}
	ch := s.changeOf(turn, c)
	if open && !gone && ch.NoImage == "" && ch.Kind != review.KindMove && snap.Text.String() != after {
		t, err := s.Gate.Resolve(c.Path)
		if err != nil {
			return err
		}
		return s.bring(ctx, turn, t, after, &before)
	}
	p, err := s.all.Book.Begin(ch)
	if err != nil {
		return err
	}
	p.Commit(ch.After)
	return nil
}

// changeOf is what a command has done to a file, for the review.
func (s *Service) changeOf(turn string, c workspace.Change) review.Change {
	before, wasBOM := strings.CutPrefix(string(c.Before), ByteOrderMark)
	after, isBOM := strings.CutPrefix(string(c.After), ByteOrderMark)
	remark := wasBOM != isBOM && c.HasBefore && c.HasAfter && c.Kind == workspace.Modified
	ch := review.Change{
		Session: s.ID, Turn: turn, Path: c.Path, Kind: review.KindEdit, BeforeExists: c.Kind != workspace.Created,
		Before: before, After: after, Mode: c.Mode, BOM: wasBOM || c.Kind == workspace.Created && isBOM, Remark: remark,
		Remode: c.Remode,
	}
	switch c.Kind {
	case workspace.Created:
		ch.Kind, ch.Before, ch.Dirs = review.KindCreate, "", c.Dirs
	case workspace.Deleted:
		ch.Kind = review.KindDelete
	case workspace.Moved:
		ch.Kind, ch.From = review.KindMove, c.From
	}
	switch {
	case c.Note != "" && (!c.HasBefore || !c.HasAfter || bytes.Equal(c.Before, c.After)):
		ch.NoImage = c.Note
	case !c.HasBefore:
		ch.NoImage = "its text before the command is not known"
	case !c.HasAfter:
		ch.NoImage = "it is too large to show, or no file any more"
	case !utf8.Valid(c.Before) || !utf8.Valid(c.After):
		ch.NoImage = "it is not text"
	}
	return ch
}

// known says whether a change on disk is what the editor saved or an editor tool wrote.
func (s *Service) known(c workspace.Change) bool {
	if c.Kind == workspace.Deleted || !c.HasAfter || c.Note != "" {
		return false
	}
	after := strings.TrimPrefix(string(c.After), ByteOrderMark)
	if saved, ok := s.all.Overlay.LastSaved(c.Path); ok && saved.String() == after {
		return true
	}
	now, reviewed := s.all.Book.Text(c.Path)
	return reviewed && now == after
}
