package tools

import (
	"context"
	"fmt"
)

// WaitConnected waits until a process for the agent session is there. Its error says what was seen instead; it wraps
// the error of ctx, or is [ErrClosed].
func (s *Server) WaitConnected(ctx context.Context, agentSession string) error {
	for {
		s.mu.Lock()
		n, closed, changed, refusal := s.present[agentSession], s.closed, s.changed, s.refusal
		s.mu.Unlock()
		switch {
		case closed:
			return ErrClosed
		case n > 0:
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			why := "nothing tried to connect"
			if refusal != "" {
				why = "a process tried to connect and was refused: " + refusal
			}
			return fmt.Errorf("no editor tools for session %s, %s: %w", agentSession, why, ctx.Err())
		}
	}
}

// arrive notes that a connection of a session has come (+1) or gone (-1).
func (s *Server) arrive(c Caller, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.present[c.AgentSession] += n; s.present[c.AgentSession] == 0 {
		delete(s.present, c.AgentSession)
	}
	s.announce()
}

// announce wakes those in WaitConnected. Precondition: caller holds s.mu.
func (s *Server) announce() {
	close(s.changed)
	s.changed = make(chan struct{})
}
