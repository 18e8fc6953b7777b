package host

import (
	"context"
	"fmt"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// FlushMode says what happens to unsaved buffers that the agent changed, before a command runs.
type FlushMode string

const (
	FlushAsk   FlushMode = "ask"
	FlushNever FlushMode = "never"
	FlushDisk  FlushMode = "disk"
)

// beforeCommand gets the workspace ready for a command: what the agent wrote is on disk, and what the command may
// change is known. save are the files that the question about it said are saved first; a command that sees the disk asItIs has none.
// All of that takes its time, so it is looked at
// last whether the command may still run, as g allows it. Without an error it is to be started at once, and release to be called when it
// has been compared, or was not started.
func (s *Service) beforeCommand(ctx context.Context, command string, save []string, asItIs bool, g *permission.Grant) (release func(), err error) {
	if !asItIs {
		if err := s.Gate.Ready(g, s.unsavedPaths(), func() error { return s.flush(ctx, save, *g) }); err != nil {
			return nil, err
		}
	}
	if release, err = s.lookBefore(ctx, command); err != nil {
		return nil, err
	}
	if err := s.Gate.StillRuns(*g); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// lookBefore notes what is on disk before a command.
func (s *Service) lookBefore(ctx context.Context, command string) (release func(), err error) {
	s.all.settleDoubts() // what is left of before is not the command's
	index, err := s.all.Index(s.Cwd)
	if err != nil {
		s.Log.Warn().Err(err).Msg("what the command changes cannot be told")
		return func() {}, nil
	}
	if err := index.Before(ctx, s.Hints(command)); err != nil {
		s.Log.Warn().Err(err).Msg("index before a command")
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s.ran.Store(true)
	return index.Hold(), nil
}

// Hints are what is known to change or to have changed, for an index.
func (s *Service) Hints(command string) workspace.Hints {
	hints := workspace.Hints{Command: command, Open: s.all.Overlay.OpenPaths()}
	for _, f := range s.all.Book.Files(review.Filter{}) {
		hints.Touched = append(hints.Touched, f.Path)
	}
	return hints
}

// unsavedPaths are the files that the agent changed and that also hold unsaved text of the user's, in order: a command would see
// neither. Buffers without the user's unsaved text were saved with the edit.
func (s *Service) unsavedPaths() (paths []string) {
	unsaved := s.all.FS.Unsaved()
	for _, f := range s.all.Book.Files(review.Filter{}) {
		if snap, open := s.all.Overlay.Lookup(f.Path); open && snap.Dirty || !open && slices.Contains(unsaved, f.Path) {
			paths = append(paths, f.Path)
		}
	}
	slices.Sort(paths)
	return paths
}

// toSave are the files that the question about a command says are saved first, nil where nobody is asked about that.
func (s *Service) toSave() []string {
	if s.all.Flush == FlushAsk || s.all.Flush == "" {
		return s.unsavedPaths()
	}
	return nil
}

// flush makes a command see what the agent wrote: with consent it saves what mixes that and unsaved text of the user's. A file that
// came to be one since it was asked has it asked about again.
func (s *Service) flush(ctx context.Context, save []string, g permission.Grant) error {
	if s.all.Flush == FlushNever || g.Unsaved() {
		return nil
	}
	paths := s.unsavedPaths()
	if s.all.Flush != FlushDisk && slices.ContainsFunc(paths, func(p string) bool { return !slices.Contains(save, p) }) {
		return permission.ErrShownOtherwise
	}
	return s.saveFirst(ctx, paths, func() error { return s.Gate.Still(g) })
}

// saveFirst saves files before a command. still says before each whether that may still run.
func (s *Service) saveFirst(ctx context.Context, paths []string, still func() error) error {
	unsaved := s.all.FS.Unsaved()
	for _, path := range paths {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := still(); err != nil {
			return err
		}
		save := s.all.FS.Flush
		if slices.Contains(unsaved, path) {
			save = s.all.FS.SaveUnsaved
		}
		err := save(ctx, path)
		s.all.Wrote(path)
		if err != nil {
			name := s.Gate.Short(path)
			return &failure{fmt.Sprintf("the command was not run: save %s first: %v", name, err), "Not run: " + escape.Inline(name) + " could not be saved first"}
		}
	}
	return nil
}

// Asking notes what is on disk while the agent waits for an answer about its own tool, and has the question about a command say
// what is saved first.
func (s *Service) Asking(ctx context.Context, a *permission.Asked) {
	s.noteStart(ctx, a.Targets)
	if len(a.Shown.Argv) > 0 && !s.all.AgentsEditor {
		a.SaveFirst(s.toSave())
	}
}

// SaveAsked saves what a yes to the agent's own question covers, before the agent hears of it.
func (s *Service) SaveAsked(ctx context.Context, a *permission.Asked) error {
	paths := a.ToSave()
	if s.all.Flush == FlushDisk && len(a.Shown.Argv) > 0 && !s.all.AgentsEditor {
		paths = s.unsavedPaths()
	}
	if len(paths) == 0 {
		return nil
	}
	return s.Gate.Saving(a, paths, func() error {
		return s.saveFirst(ctx, paths, func() error { return s.Gate.StillAsked(a) })
	})
}
