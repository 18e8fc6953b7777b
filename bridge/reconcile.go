package bridge

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

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
)

// beforeCommand gets the workspace ready for a command: what the agent wrote is on disk, and what the command may
// change is known. Without an error, release is to be called when the command has been compared, or was not started.
func (s *Session) beforeCommand(ctx context.Context, command string) (release func(), err error) {
	if err := s.flush(ctx, command); err != nil {
		return nil, err
	}
	return s.lookBefore(ctx, command)
}

// lookBefore is beforeCommand for a command that sees the disk as it is.
func (s *Session) lookBefore(ctx context.Context, command string) (release func(), err error) {
	s.b.settleDoubts() // what is left of before is not the command's
	hints := workspace.Hints{Command: command, Open: s.b.overlay.OpenPaths()}
	for _, f := range s.b.book.Files(review.Filter{}) {
		hints.Touched = append(hints.Touched, f.Path)
	}
	index, err := s.b.indexOf(s.Cwd)
	if err != nil {
		s.log.Warn().Err(err).Msg("what the command changes cannot be told")
		return func() {}, nil
	}
	if err := index.Before(ctx, hints); err != nil {
		s.log.Warn().Err(err).Msg("index before a command")
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s.ran.Store(true)
	return index.Hold(), nil
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
		x.CloneInto(b.cfg.StateDir)
		x.Also(controlName)
		b.indexes[dir] = x
	}
	return x, err
}

// controlName says whether a path below a session's folder is a control file's.
func controlName(rel string) bool {
	_, ok := policy.Control(policy.Path{Given: rel})
	return ok
}

// closeIndexes lets go of what the indexes hold open.
func (b *Bridge) closeIndexes() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, x := range b.indexes {
		x.Close()
	}
}

// wrote tells the indexes of a file that was written or removed by us, so that it is not taken for a command's change.
func (b *Bridge) wrote(path string) {
	for _, x := range b.allIndexes() {
		x.Wrote(path)
	}
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
	changes, rest, err := index.After(ctx)
	if err != nil && ctx.Err() == nil {
		s.log.Warn().Err(err).Msg("index after a command")
		s.b.out.push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "notice",
			Message: "the folder is too large to be compared in time after a command: not everything that it changed may be in review"}})
	}
	changes = slices.DeleteFunc(changes, s.b.bookkeeping())
	defer s.reportUnapproved(turn, slices.DeleteFunc(slices.Clone(changes), s.known))
	ctx = withTurn(ctx, cmp.Or(turn, betweenTurns))
	s.tellNotes(changes)
	s.tellRest(rest)
	// Each is on record, and on disk, before it counts; several at once share the wait for the disk.
	var all sync.WaitGroup
	gate := make(chan struct{}, reconcileAtOnce)
	for _, c := range s.unmoved(changes) {
		gate <- struct{}{}
		all.Go(func() {
			defer func() { <-gate }()
			if err := s.reconcileFile(ctx, c); err != nil {
				s.b.out.push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "conflict",
					Message: fmt.Sprintf("a command changed %s, and that could not be brought into the editor: %v", s.gate.Short(c.Path), err),
					Data:    map[string]any{"path": c.Path}}})
			}
		})
	}
	all.Wait()
	s.accountOutside(ctx)
}

// bookkeeping finds what the bridge and Copilot write for themselves, in a session whose folder is the person's home.
func (b *Bridge) bookkeeping() func(workspace.Change) bool {
	var own []string
	for _, dir := range []string{b.cfg.StateDir, copilot.SessionsDir(b.cfg.Env), copilot.LogDir(b.cfg.Env)} {
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
func (s *Session) unmoved(changes []workspace.Change) []workspace.Change {
	var out []workspace.Change
	for _, c := range changes {
		if _, open := s.b.overlay.Lookup(c.From); open && c.Kind == workspace.Moved {
			out = append(out, workspace.Change{Path: c.From, Kind: workspace.Deleted, Before: c.Before, HasBefore: c.HasBefore, HasAfter: true, Mode: c.Mode})
			c.Kind, c.From, c.Before, c.HasBefore = workspace.Created, "", nil, true
		}
		out = append(out, c)
	}
	return out
}

// tellNotes tells of what a text does not show: a control file that is a link now, or one that may be run.
func (s *Session) tellNotes(changes []workspace.Change) {
	for _, c := range changes {
		if c.Note != "" {
			s.b.out.push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "notice",
				Message: fmt.Sprintf("%s, which decides what runs or what is asked, was changed beside its text: %s", s.gate.Short(c.Path), c.Note),
				Data:    map[string]any{"path": c.Path}}})
		}
	}
}

// tellRest tells of control files in folders that git ignores which are not told of one by one. There are hundreds after the
// install of a package manager, and whether one of them matters the user has to look at.
func (s *Session) tellRest(rest workspace.Rest) {
	if len(rest.More) > 0 {
		var where []string
		for _, dir := range slices.Sorted(maps.Keys(rest.More)) {
			if len(where) == maxRestFolders {
				where = append(where, fmt.Sprintf("in %d more folders", len(rest.More)-maxRestFolders))
				break
			}
			where = append(where, fmt.Sprintf("%d in %s", rest.More[dir], s.gate.Short(dir)))
		}
		s.b.out.push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "notice",
			Message: fmt.Sprintf("more files that decide what runs or what is asked were changed in folders that git ignores, and are not in review: %s", strings.Join(where, ", "))}})
	}
	if rest.Cut {
		s.b.out.push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "notice",
			Message: "the folders that git ignores are too large to be searched in time: files in them that decide what runs or what is asked may have changed without being told"}})
	}
}

func (s *Session) reconcileFile(ctx context.Context, c workspace.Change) error {
	before, wasBOM := strings.CutPrefix(string(c.Before), byteOrderMark)
	after, isBOM := strings.CutPrefix(string(c.After), byteOrderMark)
	gone := c.Kind == workspace.Deleted
	snap, open := s.b.overlay.Lookup(c.Path)
	remark := wasBOM != isBOM && c.HasBefore && c.HasAfter && (c.Kind == workspace.Modified || c.Kind == workspace.Moved)
	if !gone && c.HasAfter && c.Note == "" && !(remark && before == after) {
		if saved, ok := s.b.overlay.LastSaved(c.Path); ok && saved.String() == after {
			return nil // the person saved it
		}
		if now, known := s.b.book.Text(c.Path); known && now == after && !open {
			return nil // written by an editor tool meanwhile
		}
	}
	if open && !c.HasBefore && !snap.Dirty && snap.Text.String() != after {
		before, c.HasBefore = snap.Text.String(), true // the buffer shows the file as it was
		c.Before = []byte(before)
		if isBOM { // which no buffer shows
			c.Before = []byte(byteOrderMark + before)
		}
	}
	ch := s.changeOf(ctx, c)
	if open && !gone && ch.NoImage == "" && ch.Kind != review.KindMove && snap.Text.String() != after {
		t, err := s.gate.Resolve(c.Path)
		if err != nil {
			return err
		}
		return s.bring(ctx, t, after, &before)
	}
	p, err := s.b.book.Begin(ch)
	if err != nil {
		return err
	}
	p.Commit(ch.After)
	return nil
}

// changeOf is what a command has done to a file, for the review.
func (s *Session) changeOf(ctx context.Context, c workspace.Change) review.Change {
	before, wasBOM := strings.CutPrefix(string(c.Before), byteOrderMark)
	after, isBOM := strings.CutPrefix(string(c.After), byteOrderMark)
	remark := wasBOM != isBOM && c.HasBefore && c.HasAfter && c.Kind == workspace.Modified
	ch := review.Change{
		Session: s.ID, Turn: turnOf(ctx), Path: c.Path, Kind: review.KindEdit, BeforeExists: c.Kind != workspace.Created,
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
