package session

import (
	"context"
	"fmt"

	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
)

// watchDisk looks at the workspace before a turn of an agent that has no editor tools, or of which it is not known yet that
// it keeps to them. It runs on the turn's goroutine.
func (s *Session) watchDisk(ctx context.Context, a *agents.Process) {
	if a.HasOnlyOurTools() && s.all.proven(a) {
		s.approvals.Ignore()
		return
	}
	index, err := s.all.cfg.Host.Index(s.Cwd)
	if err != nil {
		s.approvals.Ignore()
		s.log.Warn().Err(err).Msg("what the agent changes by itself cannot be told")
		return
	}
	if err := index.Before(ctx, s.host.Hints("")); err != nil {
		s.log.Warn().Err(err).Msg("index before a turn")
	}
	s.approvals.Watch(index.Hold())
}

// reportUnapproved tells the user of files that changed without approval. Their changes are pending like any others,
// so that they can be undone. changes are without those that are what the editor saved or an editor tool wrote.
func (s *Session) reportUnapproved(turn string, changes []workspace.Change) {
	paths := s.approvals.Unapproved(changes)
	if len(paths) == 0 {
		return
	}
	for _, p := range paths {
		s.all.cfg.Out.Push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "unasked_change", // clients know it by this name
			Message: fmt.Sprintf("%s was changed in this turn and nobody was asked; undo it if it was not you", s.gate.Short(p)),
			Data:    map[string]any{"path": p, "turnId": turn}}})
	}
	s.log.Warn().Strs("paths", paths).Str("turn", turn).Msg("changed without a question")
}
