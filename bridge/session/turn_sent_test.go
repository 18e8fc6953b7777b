package session_test

import (
	"context"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/agent"
)

// TestASessionThatClosesHoldsNobodyUp: whoever waits until its prompt has been sent does not wait for one that never will
// be, because the session has closed before the agent was there.
func TestASessionThatClosesHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	starts := make(chan struct{}, 1)
	r := newRigWith(t, nil, func(c *Config) {
		c.Start = func(ctx context.Context, _ agent.Handler) (Agent, error) {
			starts <- struct{}{}
			<-ctx.Done()
			return nil, ctx.Err()
		}
	}, "")
	info, err := r.b.NewSession(r.ctx, NewSessionRequest{Cwd: r.dir, Later: true})
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.b.Session(info.ID)
	if err != nil {
		t.Fatal(err)
	}
	turn, err := s.Prompt(Prompt{Params: []byte(`{"sessionId":"x","prompt":[{"type":"text","text":"hi"}]}`), Back: r.ctx})
	if err != nil {
		t.Fatal(err)
	}
	<-starts
	if err := r.b.CloseSession(r.ctx, info.ID); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(r.ctx, patience)
	defer cancel()
	turn.Sent(ctx)
	if ctx.Err() != nil {
		t.Error("it is still waited for")
	}
}
