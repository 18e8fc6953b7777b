package session

import "context"

// InTurn runs send, which puts a message to the editor on its way, where the message belongs: after all that the editor
// is shown first, and before what the agent has sent after the request that ctx belongs to. What no request of the agent
// has asked for, but an editor tool, goes at once. send must not wait for the editor's answer. It does not run when ctx ends
// before its turn; the error is ctx's then.
func (all *Set) InTurn(ctx context.Context, send func()) error {
	if p := reservationOf(ctx); p != nil {
		defer p.Fill()
		if err := p.Await(ctx); err != nil {
			return err
		}
	}
	send()
	return nil
}

// AskInTurn is InTurn for a question to the user, which comes after the tool call that it is about.
func (all *Set) AskInTurn(ctx context.Context, send func()) error {
	if reservationOf(ctx) == nil {
		all.cfg.Out.Flush(ctx)
	}
	return all.InTurn(ctx, send)
}

// InOrder runs something when the editor has been shown all that came before. It must not wait.
func (all *Set) InOrder(do func()) { all.cfg.Out.Push(&deferred{do}) }

// deferred is not shown, but done where it would be.
type deferred struct{ do func() }

func (*deferred) IsEvent() {}
