package bridge

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

// commandsOut says that a command of an agent, or the agent itself, may be changing files, or that what it changed has not been
// compared yet. What a command leaves running is compared at the end of its turn.
func (b *Bridge) commandsOut() bool {
	return slices.ContainsFunc(b.allIndexes(), (*workspace.Index).Held) ||
		slices.ContainsFunc(b.allSessions(), func(s *Session) bool { return s.ran.Load() && s.prompted() })
}

// noPrompt says that no session has a prompt.
func (b *Bridge) noPrompt() bool { return !slices.ContainsFunc(b.allSessions(), (*Session).prompted) }

func (b *Bridge) allSessions() []*Session {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Collect(maps.Values(b.sessions))
}

// prompted says that a prompt has been taken and is not yet over.
func (s *Session) prompted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waiting > 0
}

// settleDoubts compares what was unsettled while commands ran, once none does. It is called when one has been compared.
func (b *Bridge) settleDoubts() {
	if !b.commandsOut() {
		b.settleReview(b.life)
	}
}

// account makes what commands have done to a closed file by now a change of the agent's. It must not be called where buffers wait.
func (b *Bridge) account(path string) {
	for _, s := range b.allSessions() {
		s.account(path)
	}
}

// account is called before the agent itself changes the file, too: the text that it starts from may be its command's.
func (s *Session) account(path string) {
	if !s.mayHaveChanged() {
		return
	}
	s.sweep.Lock()
	defer s.sweep.Unlock()
	index, err := s.b.indexOf(s.Cwd)
	if _, open := s.b.overlay.Lookup(path); open || err != nil || s.b.fs.Remote() {
		return
	}
	if c := index.AfterFile(path, nil); c != nil {
		s.unaccounted(path, s.reconcileFile(withTurn(s.life, s.turnNow()), *c))
	}
}

// turnNow is the turn that a change found now is listed with.
func (s *Session) turnNow() string {
	if turn := turnOf(s.turnContext()); turn != "" {
		return turn
	}
	if cmds := s.commands.all(); len(cmds) > 0 && cmds[len(cmds)-1].turn != "" {
		return cmds[len(cmds)-1].turn
	}
	return betweenTurns
}

// accountOutside makes what changed in the closed files under review that no index covers, while commands ran, a change of the
// agent's: the book knows what they were. The caller holds s.sweep.
func (s *Session) accountOutside(ctx context.Context) {
	if s.b.fs.Remote() || !s.b.commandsOut() {
		return
	}
	for _, path := range s.b.book.Unsettled() {
		was, known := s.b.book.Text(path)
		_, gone := s.b.book.Vanished(path)
		if _, open := s.b.overlay.Lookup(path); open || !known || s.b.indexed(path) || s.b.book.Deleted(path) {
			continue
		}
		c := workspace.Change{Path: path, Kind: workspace.Modified, Before: []byte(was), HasBefore: true, HasAfter: true}
		snap, err := s.b.disk.WithOutside(path).Read(ctx, path)
		switch {
		case err == nil && snap.Text.String() != was:
			c.After, c.Mode = []byte(snap.Text.String()), snap.Mode
		case missing(err) && !gone:
			c.Kind = workspace.Deleted
		default:
			continue
		}
		s.unaccounted(path, s.reconcileFile(ctx, c))
	}
}

// indexed says that a path is below a folder that is compared after commands.
func (b *Bridge) indexed(path string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(slices.Collect(maps.Keys(b.indexes)), func(dir string) bool {
		_, ok := policy.Below(path, filepath.Clean(dir))
		return ok
	})
}

// shownMeanwhile tells what the editor saved while a command runs, which is the user's, from what it has read from disk: a buffer
// that comes to show a text that is on disk already. It is called on the goroutine that tells of buffers, and does not take s.sweep:
// who holds that may wait for a buffer.
func (b *Bridge) shownMeanwhile(change fsproxy.Change) {
	if saved, ok := b.overlay.LastSaved(change.Path); ok && !change.After.Dirty {
		for _, x := range b.allIndexes() {
			x.Saved(change.Path, func(content []byte) bool { return withoutMark(content) == saved.String() })
		}
	}
	if change.Before != nil && change.Before.Text.Equal(change.After.Text) {
		return
	}
	shown := func(content []byte) bool {
		return utf8.Valid(content) && fsproxy.SameText(text.New(withoutMark(content)), change.After.Text)
	}
	for _, s := range b.allSessions() {
		if !s.mayHaveChanged() {
			continue
		}
		index, err := b.indexOf(s.Cwd)
		if err != nil {
			continue
		}
		if c := index.AfterFile(change.Path, shown); c != nil {
			s.unaccounted(c.Path, b.book.Record([]review.Change{s.changeOf(withTurn(s.life, s.turnNow()), *c)}))
		}
	}
}

func withoutMark(content []byte) string { return strings.TrimPrefix(string(content), byteOrderMark) }

// unaccounted notes that a change of a command could not be put in review.
func (s *Session) unaccounted(path string, err error) {
	if err != nil {
		s.log.Warn().Err(err).Str("path", path).Msg("what a command changed is not in review")
	}
}

// mayHaveChanged says that a command of the session, or its agent, may have changed files that have not been compared.
func (s *Session) mayHaveChanged() bool {
	return s.ran.Load() || len(s.commands.all()) > 0 || s.approvals.Watching()
}

func (b *Bridge) allIndexes() []*workspace.Index {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Collect(maps.Values(b.indexes))
}
