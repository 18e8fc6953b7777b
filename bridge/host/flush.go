package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// FlushMode says what happens to unsaved buffers that the agent changed, before a command runs.
type FlushMode string

const (
	FlushAsk   FlushMode = "ask"
	FlushNever FlushMode = "never"
	FlushDisk  FlushMode = "disk"
)

// beforeCommand gets the workspace ready for a command: what the agent wrote is on disk, and what the command may
// change is known. Without an error, release is to be called when the command has been compared, or was not started.
func (s *Service) beforeCommand(ctx context.Context, command string) (release func(), err error) {
	if err := s.flush(ctx, command); err != nil {
		return nil, err
	}
	return s.lookBefore(ctx, command)
}

// lookBefore is beforeCommand for a command that sees the disk as it is.
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

// The options of the question before a command, when buffers that the agent changed also hold unsaved text of the
// user's.
const (
	OptCancelRun = acp.PermissionOptionID("cancel")
	OptSaveRun   = acp.PermissionOptionID("save_and_run")
	OptRunAsIs   = acp.PermissionOptionID("run_as_it_is")
)

// flush makes a command see what the agent wrote. Buffers without the user's unsaved text were saved with the edit;
// what is left mixes both, and is saved only with consent.
func (s *Service) flush(ctx context.Context, command string) error {
	if s.all.Flush == FlushNever {
		return nil
	}
	var paths []string
	unsaved := s.all.FS.Unsaved()
	for _, f := range s.all.Book.Files(review.Filter{}) {
		if snap, open := s.all.Overlay.Lookup(f.Path); open && snap.Dirty || !open && slices.Contains(unsaved, f.Path) {
			paths = append(paths, f.Path)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	slices.Sort(paths)
	if s.all.Flush == FlushAsk || s.all.Flush == "" {
		switch run, err := s.askFlush(ctx, command, paths); {
		case err != nil:
			return err
		case run == OptRunAsIs:
			return nil
		}
	}
	for _, path := range paths {
		save := s.all.FS.Flush
		if slices.Contains(unsaved, path) {
			save = s.all.FS.SaveUnsaved
		}
		err := save(ctx, path)
		s.all.Wrote(path)
		if err != nil {
			return fmt.Errorf("the command was not run: save %s first: %w", s.Gate.Short(path), err)
		}
	}
	return nil
}

func (s *Service) askFlush(ctx context.Context, command string, paths []string) (acp.PermissionOptionID, error) {
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = s.Gate.Short(p)
	}
	q := permission.Question{
		Title:  "Save " + strings.Join(names, ", ") + " before the command runs?",
		Reason: "Copilot changed these files in the editor and they also hold unsaved changes of yours; the command would not see either.",
		Argv:   terminalproxy.LineArgv(command), Cwd: s.Cwd,
		Options: []acp.PermissionOption{
			{OptionID: OptCancelRun, Name: "Cancel", Kind: acp.PermissionOptionKindRejectOnce},
			{OptionID: OptSaveRun, Name: "Save and run", Kind: acp.PermissionOptionKindAllowOnce},
			{OptionID: OptRunAsIs, Name: "Run as it is", Kind: acp.PermissionOptionKindAllowOnce},
		},
	}
	q.Diffs = s.unsavedDiffs(ctx, paths)
	ans, err := s.Gate.Ask(ctx, &q)
	d := policy.Decision{Verdict: policy.Deny, Reason: q.Title}
	who := ans.Who()
	switch {
	case ctx.Err() != nil || err != nil:
		who = policy.ByNobody
	case ans.OptionID == OptSaveRun || ans.OptionID == OptRunAsIs:
		d.Verdict = policy.Allow
	}
	s.Gate.Record(policy.Request{Tool: policy.ToolEdit, Name: "save before a command: " + string(ans.OptionID)}, d, who)
	switch {
	case ctx.Err() != nil:
		return "", &permission.Refusal{Reason: "cancelled by the user"}
	case err == nil && (ans.OptionID == OptSaveRun || ans.OptionID == OptRunAsIs):
		return ans.OptionID, nil
	}
	return "", &permission.Refusal{Reason: "The user did not want the command to run while files are unsaved. Nothing was run."}
}

// unsavedDiffs are what saving the files would do to the disk.
func (s *Service) unsavedDiffs(ctx context.Context, paths []string) (diffs []permission.FileDiff) {
	for _, p := range paths {
		snap, open := s.all.Overlay.Lookup(p)
		if !open && s.all.FS.Remote() {
			if now, err := s.all.FS.Read(ctx, "", p, fsproxy.WithOutside()); err == nil {
				snap, open = now, true
			}
		}
		if open {
			disk, err := s.all.Disk.Read(ctx, p)
			if err != nil && !errors.Is(err, fsproxy.ErrNotExist) {
				continue
			}
			d := permission.FileDiff{Path: p, NewText: snap.Text.String(), Created: err != nil}
			if err == nil {
				d.OldText = disk.Text.String()
			}
			diffs = append(diffs, d)
		}
	}
	return diffs
}
