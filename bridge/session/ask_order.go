package session

import (
	"context"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/calls"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// The inputs of step that put questions about calls made at once into the order of the calls, see [calls.Ask].
type (
	orderIn   struct{ ask *calls.Ask } // a question is ready to be put
	giveUpIn  struct{ ask *calls.Ask } // and has waited for long
	backIn    struct{ ask *calls.Ask } // and nobody waits for it any more
	askOverIn struct{ ask *calls.Ask } // one about a call of the agent's own is on its way, or is not put
	pastIn    struct {                 // a call is past its question
		use  *calls.Use
		read bool // as far as reading goes
	}
)

// inOrder waits until the question about a call of our tools, or of the agent's own where the order of the wire is not kept, may be put:
// those of the calls announced before it come first, unless it takes them orderWait. The context that it returns is the one to put it with, and asked is called when it has come to its end.
func (s *Session) inOrder(ctx context.Context) (put context.Context, asked func(), err error) {
	a, past := s.orderOf(ctx)
	if a == nil {
		return ctx, func() {}, nil
	}
	s.in.put(orderIn{a})
	late := time.NewTicker(orderWait)
	defer late.Stop()
	for {
		select {
		case <-a.May():
			if ctx.Err() == nil {
				return acp.WhenQueued(ctx, past), past, nil
			}
			s.in.put(backIn{a})
			return nil, nil, ctx.Err()
		case <-ctx.Done():
			s.in.put(backIn{a})
			return nil, nil, ctx.Err()
		case <-late.C:
			s.in.put(giveUpIn{a})
		}
	}
}

// orderOf is the question that ctx belongs to, nil where it has its order otherwise or has been put before; past is called once no other
// has to wait for it.
func (s *Session) orderOf(ctx context.Context) (a *calls.Ask, past func()) {
	if use := useOf(ctx); use != nil {
		return calls.NewAsk(use), func() { s.in.put(pastIn{use: use}) }
	}
	r := servedOf(ctx)
	if r == nil || r.ask == nil {
		return nil, nil
	}
	select {
	case <-r.ask.May():
		return nil, nil
	default:
		return r.ask, func() { s.in.put(askOverIn{r.ask}) }
	}
}

// unasked notes that a call may do something, and nobody was asked. The gate calls it.
func (s *Session) unasked(ctx context.Context, tool policy.Tool) {
	if use := useOf(ctx); use != nil {
		s.in.put(pastIn{use, tool == policy.ToolRead})
	}
}

// ordered takes in how far the questions about calls of our tools are.
func (s *state) ordered(in any) {
	switch in := in.(type) {
	case orderIn:
		s.calls.Ask(in.ask)
	case giveUpIn:
		s.calls.GiveUp(in.ask)
	case backIn:
		s.calls.Withdraw(in.ask)
	case askOverIn:
		s.calls.Gone(in.ask)
	case pastIn:
		if in.read {
			s.calls.Reads(in.use)
		} else {
			s.calls.Pass(in.use)
		}
	}
}

// due has the questions put that wait for no other any more.
func (s *state) due() (out []effect) {
	for _, a := range s.calls.Due() {
		out = append(out, reply{a.Put, a})
	}
	return out
}
