package host

import (
	"context"
	"maps"
	"slices"
)

// away is a command that the agent runs in a terminal of the editor's.
type away struct {
	turn    string
	release func() // of the index; nil once its changes have been looked at
}

// AwayBegan notes that the editor runs a command in a terminal of its own. release is of [Service.MayRun].
func (s *Service) AwayBegan(ctx context.Context, id string, release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away[id] = &away{turn: s.Turn(ctx), release: release}
}

// AwayEnded looks at what such a command has changed, once; gone says that its id is not valid any more.
func (s *Service) AwayEnded(id string, gone bool) {
	s.mu.Lock()
	cmd := s.away[id]
	var release func()
	if cmd != nil {
		release, cmd.release = cmd.release, nil
	}
	if gone {
		delete(s.away, id)
	}
	s.mu.Unlock()
	if release != nil {
		s.reconcile(s.Life, cmd.turn)
		release()
		s.all.settleDoubts()
	}
}

// Away are the ids of these commands.
func (s *Service) Away() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.away))
}
