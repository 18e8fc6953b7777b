package bridge

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
)

// distrust is the standing check on an agent that has tools of its own, which write to the disk: what changed in a turn
// although no question about it was answered with a yes. Some versions of Copilot CLI (1.0.81-2 until 1.0.83) do not ask.
type distrust struct {
	mu       sync.Mutex
	watching bool            // the workspace was looked at before the turn
	commands bool            // a command was allowed: what changed may be its work
	found    bool            // something changed that nobody was asked about
	files    map[string]bool // resolved paths of files that were allowed to be changed
	release  func()          // of the hold on the index
}

// watchDisk looks at the workspace before a turn of an agent that has no editor tools, or of which it is not known yet that
// it keeps to them.
func (s *Session) watchDisk(ctx context.Context, l *link) {
	if l.tools != nil && !l.keepsOwnTools() && l.proven() {
		s.unasked.start(false, nil)
		return
	}
	index, err := s.b.indexOf(s.Cwd)
	if err != nil {
		s.unasked.start(false, nil)
		s.log.Warn().Err(err).Msg("what the agent changes by itself cannot be told")
		return
	}
	hints := workspace.Hints{Open: s.b.overlay.OpenPaths()}
	for _, f := range s.b.book.Files(review.Filter{}) {
		hints.Touched = append(hints.Touched, f.Path)
	}
	if err := index.Before(ctx, hints); err != nil {
		s.log.Warn().Err(err).Msg("index before a turn")
	}
	s.unasked.start(true, index.Hold())
}

func (d *distrust) start(watching bool, release func()) {
	d.end()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watching, d.commands, d.found, d.files, d.release = watching, false, false, map[string]bool{}, release
}

// end stops watching.
func (d *distrust) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.release != nil {
		d.release()
	}
	d.watching, d.release = false, nil
}

// allowed notes what a yes of the person or of a rule covers.
func (d *distrust) allowed(paths ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range paths {
		if d.files != nil {
			d.files[p] = true
		}
	}
}

func (d *distrust) allowedCommand() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.commands = true
}

// watches says whether the turn has to be compared at its end.
func (d *distrust) watches() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.watching
}

// clean says that the turn was compared, and that nothing in it was unasked or may be the work of a command.
func (d *distrust) clean() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.watching && !d.found && !d.commands
}

// unasked are those of the changed files that nobody was asked about.
func (d *distrust) unasked(changes []workspace.Change) (paths []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.watching || d.commands {
		return nil
	}
	for _, c := range changes {
		if !d.files[c.Path] || c.Kind == workspace.Moved && !d.files[c.From] {
			paths = append(paths, c.Path)
		}
	}
	d.found = d.found || len(paths) > 0
	return paths
}

// reportUnasked tells the person of files that changed without a question. Their changes are pending like any others,
// so that they can be undone. changes are without those that are [Session.known].
func (s *Session) reportUnasked(turn string, changes []workspace.Change) {
	paths := s.unasked.unasked(changes)
	if len(paths) == 0 {
		return
	}
	for _, p := range paths {
		s.b.out.push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "unasked_change",
			Message: fmt.Sprintf("%s was changed in this turn and nobody was asked; undo it if it was not you", s.short(p)),
			Data:    map[string]any{"path": p, "turnId": turn}}})
	}
	s.log.Warn().Strs("paths", paths).Str("turn", turn).Msg("changed without a question")
}

// known says whether a change on disk is what the editor saved or an editor tool wrote.
func (s *Session) known(c workspace.Change) bool {
	if c.Kind == workspace.Deleted || !c.HasAfter || c.Note != "" {
		return false
	}
	after := strings.TrimPrefix(string(c.After), byteOrderMark)
	if saved, ok := s.b.overlay.LastSaved(c.Path); ok && saved.String() == after {
		return true
	}
	now, reviewed := s.b.book.Text(c.Path)
	return reviewed && now == after
}
