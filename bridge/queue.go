package bridge

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// Waiting is a prompt that waits for the turns before it.
type Waiting struct {
	Turn   string
	Prompt []acp.ContentBlock // as the user sent it

	refs []ContextRef
}

// Text is the prompt for a list of what waits: its words, and the names of what else is in it.
func (w *Waiting) Text() string { return conversation.PromptText(w.Prompt) }

// waiting are the prompts that wait, the next one first.
func (s *state) waiting() []Waiting {
	out := make([]Waiting, 0, len(s.queue))
	for _, t := range s.queue {
		out = append(out, t.asWaiting())
	}
	return out
}

func (t *turn) asWaiting() Waiting { return Waiting{Turn: t.id, Prompt: t.blocks, refs: t.refs} }

// waits tells that the queue is another; changed is the prompt in it that is new or was replaced, if one is.
func (s *state) waits(changed *turn) effect {
	ev := &SessionChanged{Session: s.id, Queue: s.waiting()}
	if changed != nil {
		w := changed.asWaiting()
		ev.queued = &w
	}
	return emit{ev}
}

// edit replaces a prompt that waits; one that does not wait any more stays as it is.
func (s *state) edit(in editIn) []effect {
	for _, t := range s.queue {
		if t.id == in.turn {
			t.blocks = in.blocks
			return []effect{s.waits(t), answerEdit{in.done, true}}
		}
	}
	return []effect{answerEdit{in.done, false}}
}

// Queue lists the prompts that wait in a session, the next one first.
func (b *Bridge) Queue(ctx context.Context, session string) ([]Waiting, error) {
	s, err := b.Session(session)
	if err != nil {
		return nil, err
	}
	s.settled(ctx) // what was sent before this was asked is in it
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queue, nil
}

// EditPrompt replaces a prompt that waits, in its place. One that has begun stays as it is: CodeTurnInProgress.
func (b *Bridge) EditPrompt(ctx context.Context, session, turn string, blocks []acp.ContentBlock) error {
	s, err := b.Session(session)
	if err != nil {
		return err
	}
	done := make(chan bool, 1)
	if !s.in.put(editIn{turn, blocks, done}) {
		return errSession(session)
	}
	select {
	case ok := <-done:
		if !ok {
			return &Error{Code: CodeTurnInProgress, Message: "the prompt " + turn + " does not wait any more", Hint: "send a new one, or cancel it"}
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
