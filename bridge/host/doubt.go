package host

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// betweenTurns is the turn of what a command changes that nobody's turn has started.
const betweenTurns = "between-turns"

// While a command of an agent runs, what is found on disk says nothing of who put it there, and may be half written. What changes
// then belongs to the command, unless it came through the editor: a file that looks different is unsettled ([review.Book.Unsettle])
// until reconcile has compared it with what it was before the command. What is left is the user's.

// CommandsOut says that a command of an agent, or the agent itself, may be changing files, or that what it changed has not been
// compared yet. What a command leaves running is compared at the end of its turn.
func (h *Host) CommandsOut() bool {
	return slices.ContainsFunc(h.allIndexes(), (*workspace.Index).Held) ||
		slices.ContainsFunc(h.Sessions(), func(s *Service) bool { return s.ran.Load() && s.Prompted() })
}

// settleDoubts compares what was unsettled while commands ran, once none does. It is called before a command, when one has been
// compared, and when a turn is over.
func (h *Host) settleDoubts() {
	if !h.CommandsOut() {
		h.SettleReview()
	}
}

// Account makes what commands have done to a closed file by now a change of the agent's. It must not be called where buffers wait.
func (h *Host) Account(path string) {
	for _, s := range h.Sessions() {
		s.account(path)
	}
}

// account is called before the agent itself changes the file, too: the text that it starts from may be its command's.
func (s *Service) account(path string) {
	if !s.mayHaveChanged() {
		return
	}
	s.sweep.Lock()
	defer s.sweep.Unlock()
	index, err := s.all.Index(s.Cwd)
	if _, open := s.all.Overlay.Lookup(path); open || err != nil || s.all.FS.Remote() {
		return
	}
	if c := index.AfterFile(path, nil); c != nil {
		s.unaccounted(path, s.reconcileFile(s.Life, s.listedWith(), *c))
	}
}

// listedWith is the turn that a change found now is listed with.
func (s *Service) listedWith() string {
	if turn := s.TurnNow(); turn != "" {
		return turn
	}
	if cmds := s.allCommands(); len(cmds) > 0 && cmds[len(cmds)-1].turn != "" {
		return cmds[len(cmds)-1].turn
	}
	return betweenTurns
}

// accountOutside makes what changed in the closed files under review that no index covers, while commands ran, a change of the
// agent's: the book knows what they were. The caller holds s.sweep.
func (s *Service) accountOutside(ctx context.Context, turn string) {
	if s.all.FS.Remote() || !s.all.CommandsOut() {
		return
	}
	for _, path := range s.all.Book.Unsettled() {
		was, known := s.all.Book.Text(path)
		_, gone := s.all.Book.Vanished(path)
		if _, open := s.all.Overlay.Lookup(path); open || !known || s.all.indexed(path) || s.all.Book.Deleted(path) {
			continue
		}
		c := workspace.Change{Path: path, Kind: workspace.Modified, Before: []byte(was), HasBefore: true, HasAfter: true}
		snap, err := s.all.Disk.WithOutside(path).Read(ctx, path)
		switch {
		case err == nil && snap.Text.String() != was:
			c.After, c.Mode = []byte(snap.Text.String()), snap.Mode
		case missing(err) && !gone:
			c.Kind = workspace.Deleted
		default:
			continue
		}
		s.unaccounted(path, s.reconcileFile(ctx, turn, c))
	}
}

// indexed says that a path is below a folder that is compared after commands.
func (h *Host) indexed(path string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(slices.Collect(maps.Keys(h.indexes)), func(dir string) bool {
		_, ok := policy.Below(path, filepath.Clean(dir))
		return ok
	})
}

// ShownMeanwhile tells what the editor saved while a command runs, which is the user's, from what it has read from disk: a buffer
// that comes to show a text that is on disk already. It is called on the goroutine that tells of buffers, and does not take s.sweep:
// who holds that may wait for a buffer.
func (h *Host) ShownMeanwhile(change fsproxy.Change) {
	if saved, ok := h.Overlay.LastSaved(change.Path); ok && !change.After.Dirty {
		for _, x := range h.allIndexes() {
			x.Saved(change.Path, func(content []byte) bool { return withoutMark(content) == saved.String() })
		}
	}
	if change.Before != nil && change.Before.Text.Equal(change.After.Text) {
		return
	}
	shown := func(content []byte) bool {
		return utf8.Valid(content) && fsproxy.SameText(text.New(withoutMark(content)), change.After.Text)
	}
	for _, s := range h.Sessions() {
		if !s.mayHaveChanged() {
			continue
		}
		index, err := h.Index(s.Cwd)
		if err != nil {
			continue
		}
		if c := index.AfterFile(change.Path, shown); c != nil {
			s.unaccounted(c.Path, h.Book.Record([]review.Change{s.changeOf(s.listedWith(), *c)}))
		}
	}
}

func withoutMark(content []byte) string { return strings.TrimPrefix(string(content), ByteOrderMark) }

// unaccounted notes that a change of a command could not be put in review.
func (s *Service) unaccounted(path string, err error) {
	if err != nil {
		s.Log.Warn().Err(err).Str("path", path).Msg("what a command changed is not in review")
	}
}

// mayHaveChanged says that a command of the session, or its agent, may have changed files that have not been compared.
func (s *Service) mayHaveChanged() bool {
	return s.ran.Load() || len(s.allCommands()) > 0 || s.Watched()
}
