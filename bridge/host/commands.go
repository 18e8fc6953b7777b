package host

import (
	"context"
	"maps"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// command is one that runs in a session, or has ended and is still compared.
type command struct {
	term    *terminalproxy.Terminal
	turn    string
	title   string
	acp     bool          // it came by ACP's terminal/create: it ends with its turn's cancel
	release func()        // lets the index of the workspace take in what others change again
	settled chan struct{} // closed when what it changed is in review
}

// allCommands are the session's commands in the order in which they began.
func (s *Service) allCommands() []*command {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Values(s.commands), func(a, b *command) int {
		return a.term.Info().Started.Compare(b.term.Info().Started)
	})
}

// commandsOut are the titles of the commands that have not ended.
func (s *Service) commandsOut() []string {
	var out []string
	for _, cmd := range s.allCommands() {
		if cmd.term.Info().Exit == nil {
			out = append(out, cmd.title)
		}
	}
	return out
}

// watchCommand follows a command to its end, also one that nobody waits for, and compares the workspace then.
func (s *Service) watchCommand(ctx context.Context, cmd *command) {
	cmd.turn, cmd.settled = s.Turn(ctx), make(chan struct{})
	s.mu.Lock()
	s.commands[cmd.term.ID()] = cmd
	s.mu.Unlock()
	s.Running(s.commandsOut())
	s.Go(func() {
		_, err := cmd.term.Wait(s.Life)
		if err == nil {
			s.Running(s.commandsOut())
			s.reconcile(s.Life, cmd.turn)
		}
		cmd.release()
		s.mu.Lock()
		delete(s.commands, cmd.term.ID())
		s.mu.Unlock()
		s.all.settleDoubts()
		close(cmd.settled)
	})
}

// settleEnded waits until what the commands that have ended changed is in review and in the open buffers, so that the
// agent does not read a buffer from before its own command.
func (s *Service) settleEnded(ctx context.Context) {
	for _, cmd := range s.allCommands() {
		if cmd.term.Info().Exit == nil {
			continue
		}
		select {
		case <-cmd.settled:
		case <-ctx.Done():
			return
		}
	}
}

// StopCommands ends the ACP terminals of a turn that was cancelled; calls of the bash tool end with their contexts. What
// the agent has put in the background with an async bash goes on. The ids stay good: the agent may still ask for
// output and release them.
func (s *Service) StopCommands(turn string) {
	for _, cmd := range s.allCommands() {
		if cmd.acp && cmd.turn == turn {
			s.Go(func() { _ = cmd.term.Kill(s.Life) }) // an error says that it has ended in another way
		}
	}
}

// CommandsRun says whether a command runs.
func (s *Service) CommandsRun() bool { return len(s.commandsOut()) > 0 }

// SettleTurn brings into review what the turn has changed on disk, also by commands that it has left in the background. It is
// called once, when the turn is over.
func (s *Service) SettleTurn(turn string) {
	if s.Watched() || s.ran.Load() || s.CommandsRun() {
		s.reconcile(s.Life, turn)
	}
	s.ran.Store(false)
	s.all.settleDoubts()
}
