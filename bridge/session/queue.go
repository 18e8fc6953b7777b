package session

import (
	"slices"

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

// listed are the prompts that wait, the next one first.
func (s *state) listed() []Waiting {
	out := make([]Waiting, 0, len(s.queue))
	for _, t := range s.queue {
		out = append(out, t.asWaiting())
	}
	return out
}

func (t *turn) asWaiting() Waiting { return Waiting{Turn: t.id, Prompt: t.blocks, refs: t.refs} }

// accepted is what becomes of a prompt: with ok it runs, or waits for those before it.
type accepted struct {
	before int
	ok     bool
}

// prompt takes a prompt, unless too many wait.
func (s *state) prompt(in promptIn) []effect {
	a := accepted{before: s.prompts, ok: s.prompts <= maxTurnsQueued}
	switch {
	case !a.ok:
		return []effect{in.answer(a)}
	case s.phase == idle:
		return append(s.begin(in.turn), in.answer(a))
	}
	at := len(s.queue)
	if in.next {
		at = 0
	}
	s.queue = slices.Insert(s.queue, at, in.turn)
	out := []effect{s.waits(in.turn), in.answer(a)}
	if s.phase == running && s.turn.own != nil && !s.turn.own.Logged { // nothing would say for sure when it is over
		out = append(out, s.ended(endedIn{turn: s.turn})...)
	}
	return out
}

// waits tells that the queue is another; changed is the prompt in it that is new or was replaced, if one is.
func (s *state) waits(changed *turn) effect {
	s.waiting = s.listed()
	ev := &SessionChanged{Session: s.ID, Queue: s.waiting}
	if changed != nil {
		w := changed.asWaiting()
		ev.queued = &w
	}
	return emit{ev}
}

// replace replaces a prompt that waits; one that does not wait any more stays as it is.
func (s *state) replace(in editIn) []effect {
	for _, t := range s.queue {
		if t.id == in.turn {
			t.blocks = in.blocks
			return []effect{s.waits(t), in.answer(true)}
		}
	}
	return []effect{in.answer(false)}
}

// Queue lists the prompts that wait in a session, the next one first.
func (all *Set) Queue(session string) ([]Waiting, error) {
	s, err := all.Session(session)
	if err != nil {
		return nil, err
	}
	s.settled() // what was sent before this was asked is in it
	return s.snap.read().waiting, nil
}

// EditPrompt replaces a prompt that waits, in its place. One that has begun stays as it is: CodeTurnInProgress.
func (all *Set) EditPrompt(session, turn string, blocks []acp.ContentBlock) error {
	s, err := all.Session(session)
	if err != nil {
		return err
	}
	waited, ok := ask(s, func(q question[bool]) any { return editIn{q, turn, blocks} })
	switch {
	case !ok:
		return errSession(session)
	case !waited:
		return &Error{Code: CodeTurnInProgress, Message: "the prompt " + turn + " does not wait any more", Hint: "send a new one, or cancel it"}
	}
	return nil
}
