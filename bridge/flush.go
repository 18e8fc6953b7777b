package bridge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// The options of the question before a command, when buffers that the agent changed also hold unsaved text of the
// person's.
const (
	optCancelRun = acp.PermissionOptionID("cancel")
	optSaveRun   = acp.PermissionOptionID("save_and_run")
	optRunAsIs   = acp.PermissionOptionID("run_as_it_is")
)

// flush makes a command see what the agent wrote. Buffers without the person's unsaved text were saved with the edit;
// what is left mixes both, and is saved only with consent.
func (s *Session) flush(ctx context.Context, command string) error {
	if s.b.cfg.Flush == FlushNever {
		return nil
	}
	var paths []string
	unsaved := s.b.fs.Unsaved()
	for _, f := range s.b.book.Files(review.Filter{}) {
		if snap, open := s.b.overlay.Lookup(f.Path); open && snap.Dirty || !open && slices.Contains(unsaved, f.Path) {
			paths = append(paths, f.Path)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	slices.Sort(paths)
	if s.b.cfg.Flush == FlushAsk || s.b.cfg.Flush == "" {
		switch run, err := s.askFlush(ctx, command, paths); {
		case err != nil:
			return err
		case run == optRunAsIs:
			return nil
		}
	}
	for _, path := range paths {
		save := s.b.fs.Flush
		if slices.Contains(unsaved, path) {
			save = s.b.fs.SaveUnsaved
		}
		err := save(s.named(ctx), path)
		s.b.wrote(path)
		if err != nil {
			return fmt.Errorf("the command was not run: save %s first: %w", s.gate.Short(path), err)
		}
	}
	return nil
}

func (s *Session) askFlush(ctx context.Context, command string, paths []string) (acp.PermissionOptionID, error) {
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = s.gate.Short(p)
	}
	q := Question{
		Title:  "Save " + strings.Join(names, ", ") + " before the command runs?",
		Reason: "Copilot changed these files in the editor and they also hold unsaved changes of yours; the command would not see either.",
		Argv:   []string{"bash", "-c", command}, Cwd: s.Cwd,
		Options: []acp.PermissionOption{
			{OptionID: optCancelRun, Name: "Cancel", Kind: acp.PermissionOptionKindRejectOnce},
			{OptionID: optSaveRun, Name: "Save and run", Kind: acp.PermissionOptionKindAllowOnce},
			{OptionID: optRunAsIs, Name: "Run as it is", Kind: acp.PermissionOptionKindAllowOnce},
		},
	}
	for _, p := range paths {
		snap, open := s.b.overlay.Lookup(p)
		if !open && s.b.fs.Remote() {
			if now, err := s.b.fs.Read(s.named(ctx), "", p, fsproxy.WithOutside()); err == nil {
				snap, open = now, true
			}
		}
		if open {
			disk, err := s.b.disk.Read(ctx, p)
			if err != nil && !errors.Is(err, fsproxy.ErrNotExist) {
				continue
			}
			d := FileDiff{Path: p, NewText: snap.Text.String(), Created: err != nil}
			if err == nil {
				d.OldText = disk.Text.String()
			}
			q.Diffs = append(q.Diffs, d)
		}
	}
	ans, err := s.gate.Ask(ctx, &q)
	d := policy.Decision{Verdict: policy.Deny, Reason: q.Title}
	who := ans.Who()
	switch {
	case ctx.Err() != nil || err != nil:
		who = policy.ByNobody
	case ans.OptionID == optSaveRun || ans.OptionID == optRunAsIs:
		d.Verdict = policy.Allow
	}
	s.gate.Record(policy.Request{Tool: policy.ToolEdit, Name: "save before a command: " + string(ans.OptionID)}, d, who)
	switch {
	case ctx.Err() != nil:
		return "", &Refusal{Reason: "cancelled by the user"}
	case err == nil && (ans.OptionID == optSaveRun || ans.OptionID == optRunAsIs):
		return ans.OptionID, nil
	}
	return "", &Refusal{Reason: "The user did not want the command to run while files are unsaved. Nothing was run."}
}
