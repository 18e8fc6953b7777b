package bridge

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// RawPrompt is a session/prompt of an editor that speaks ACP.
type RawPrompt struct {
	Params jsontext.Value
	Back   context.Context // ends when the editor takes the request back ($/cancel_request)
	After  <-chan struct{} // closed when what it said before has been sent to the agent
}

// PromptRaw is [Bridge.Prompt] for a prompt as it came; its TurnEnded carries the agent's answer as it came.
func (s *Session) PromptRaw(r RawPrompt) (Turn, error) {
	var p acp.PromptRequest
	_ = acp.Unmarshal(r.Params, &p) // what cannot be read is the agent's to complain of
	turn, n, err := s.takeTurn(&turn{blocks: p.Prompt, raw: r.Params, back: r.Back, after: r.After}, false)
	if err != nil {
		return Turn{}, err
	}
	return Turn{ID: turn.id, Queued: n, turn: turn, session: s}, nil
}

// promptRaw has the agent work on a prompt that came as it is to be sent.
func (s *Session) promptRaw(ctx context.Context, to cleared, t *turn, add []acp.ContentBlock) (*acp.PromptResponse, error) {
	l := to.link
	a, err := l.raw()
	if err != nil {
		return nil, err
	}
	params := s.wire.inward(t.raw)
	if l.quirks.DropsEmbeddedText && slices.ContainsFunc(t.blocks, isEmbedded) {
		if list, err := acp.Marshal(&acp.PromptRequest{Prompt: s.compose(l, "", t)}); err == nil {
			params = acp.SetMember(params, "prompt", acp.Member(list, "prompt"))
		}
	}
	if len(add) > 0 {
		if list, err := acp.Marshal(&acp.PromptRequest{Prompt: add}); err == nil {
			items := acp.Member(list, "prompt")
			params = acp.SetMember(params, "prompt", acp.PutFirst(acp.Member(params, "prompt"), items[1:len(items)-1]))
		}
	}
	if t.after != nil {
		select {
		case <-t.after:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	t.answer, err = a.CallRaw(acp.TakenBackBy(ctx, t.back), acp.MethodSessionPrompt, params)
	if err != nil {
		return nil, err
	}
	resp := new(acp.PromptResponse)
	_ = acp.Unmarshal(t.answer, resp) // whatever it says, the turn is over; the editor reads it as it is
	return resp, nil
}

// CancelRaw is [Bridge.Cancel] of all turns of a session, for a session/cancel as it came. With again, an agent that is
// busy ending its turn is left to it; all else is cancelled.
func (b *Bridge) CancelRaw(session string, params jsontext.Value, again bool) error {
	s, err := b.Session(session)
	if err != nil {
		return err
	}
	if again {
		s.wire.cancel.CompareAndSwap(nil, &params) // the words of the first one are told first
	} else {
		s.wire.cancel.Store(&params)
	}
	s.in.put(cancelIn{again: again})
	return nil
}

// tellCancel tells the agent of a cancel.
func (s *Session) tellCancel(ctx context.Context, l *link, remote acp.SessionID) error {
	if params := s.wire.cancel.Swap(nil); params != nil {
		if a, err := l.raw(); err == nil {
			return a.NotifyRaw(ctx, acp.MethodSessionCancel, s.wire.inward(*params))
		}
	}
	return l.agent.Cancel(ctx, remote)
}

// Withdraw takes a prompt that waits out of the queue. One that has begun goes on.
func (b *Bridge) Withdraw(session, turn string) {
	if s, err := b.Session(session); err == nil {
		s.in.put(withdrawIn{turn})
	}
}

// Sent waits until the agent has been sent the prompt, or never will be.
func (t Turn) Sent(ctx context.Context) {
	select {
	case <-t.turn.sent:
	case <-t.turn.ended:
	case <-t.session.life.Done(): // it was closed, and does not hear of the turn's end any more
	case <-ctx.Done():
	}
}

func isEmbedded(b acp.ContentBlock) bool { _, ok := b.(*acp.EmbeddedResource); return ok }
