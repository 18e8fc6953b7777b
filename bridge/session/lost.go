package session

import (
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// lose says of a turn that failed whether its prompt can be sent again. After a sign-in it is not offered: what the
// user is told then is how to sign in.
func (t *turn) lose(end *TurnEnded) {
	if end.Err.Code != CodeAgentUnavailable && end.Err.Code != CodeNotSignedIn {
		return
	}
	l := &conversation.LostPrompt{Turn: t.id, Prompt: t.blocks, Refs: t.refs, Over: true}
	select {
	case <-t.sent:
		l.Sent = true
	default:
	}
	end.lost, end.Lost = l, end.Err.Code == CodeAgentUnavailable
	if end.Lost && l.Sent {
		e := *end.Err
		e.Message = l.SendAgain(e.Message)
		e.Hint = conversation.Survives(end.Files) + "; send the prompt again: the agent is restarted"
		end.Err = &e
	}
}

// agentEnded says what became of a prompt that ended with the agent.
func agentEnded(end *TurnEnded) string {
	if !end.Interrupted() {
		return end.lost.SendAgain(end.Err.Message + ".")
	}
	return end.Err.Message + "; " + conversation.Survives(end.Files) + "."
}

// Interrupted says that the agent ended in the turn: it had the prompt, and may have done part of what it asks for. Err says so to the
// user then.
func (e *TurnEnded) Interrupted() bool { return e.Lost && e.lost.Sent }

// SendAgain sends a prompt that was lost with the agent or the bridge, once: CodeInvalidParams if there is none. turnID
// "" is the one that was lost last.
func (all *Set) SendAgain(session, turnID string) (Turn, error) {
	s, err := all.Session(session)
	if err != nil {
		return Turn{}, err
	}
	l, ok := s.conversation.TakeLost(turnID)
	if !ok {
		return Turn{}, &Error{Code: CodeInvalidParams, Message: "there is no prompt that was lost and not sent again", Hint: "send a new one"}
	}
	t, err := s.Prompt(Prompt{Blocks: l.Prompt, Refs: l.Refs, repeats: true})
	if err != nil {
		s.conversation.Lose(l)
	}
	return t, err
}
