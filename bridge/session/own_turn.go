package session

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/calls"
)

// A turn that the agent begins by itself, without a prompt: a schedule of Copilot's (/after, /every), or a sub-agent that goes on
// after the turn it was started in. It has an id, is shown, cancelled, reviewed and ended as any other; [calls.Own] says when it is over.

// The inputs of step that are about such turns.
type (
	signIn   struct{ sign copilot.TurnSign } // Copilot's log says something of its turns
	lookedIn struct {                        // its log was read, see [calls.Own.Next]
		turn *turn
		look int
	}
	doneIn struct{ use *calls.Use } // something that the agent wanted done is over; nil for what is no call of our tools
	goneIn struct{}                 // the agent process has ended
)

// ownEnds is an effect of step: the log says that a turn is over. What the agent said in it may still be on its way.
type ownEnds struct{ turn *turn }

// lookAgain is an effect of step: the log has to be read, and lookedIn to say so.
type lookAgain struct {
	turn *turn
	look int
}

// beginOwn begins a turn of the agent's own.
func (s *state) beginOwn() []effect {
	sent := make(chan struct{})
	close(sent) // nothing is sent for it: a cancel makes sense at once
	return s.begin(&turn{id: s.newID(), own: new(calls.Own), queued: func() {}, sent: sent, ended: make(chan struct{})})
}

// inTurn has what the agent wants done be done in a turn: in one of its own where none runs, in the next one while one ends.
func (s *state) inTurn(out ...effect) []effect {
	s.hands++
	switch s.phase {
	case idle:
		return append(s.beginOwn(), out...)
	case settling:
		s.late = append(s.late, out...)
		return nil
	}
	return out
}

// catchUp does what has waited for the turn that has just begun, or begins one for it.
func (s *state) catchUp() (out []effect) {
	if len(s.late) == 0 {
		return nil
	}
	if s.phase == idle {
		out = s.beginOwn()
	}
	out, s.late = append(out, s.late...), nil
	return out
}

// about takes in what is known of a turn of the agent's own.
func (s *state) about(in any) (out []effect) {
	own := s.turn != nil && s.turn.own != nil
	switch in := in.(type) {
	case doneIn:
		s.hands--
		if in.use != nil {
			s.calls.Pass(in.use)
		}
	case lookedIn:
		if own && s.turn == in.turn {
			s.turn.own.Looked(in.look)
		}
	case signIn:
		if in.sign == copilot.SelfPrompted && s.phase == idle && !s.replay {
			out, own = s.beginOwn(), true
		}
		if own && s.turn.own.Sign(in.sign) && s.phase != settling && !s.turn.aborting {
			out = append(out, ownEnds{s.turn})
		}
	case goneIn:
		if own && s.phase != settling {
			return s.ended(endedIn{turn: s.turn, err: &Error{Code: CodeAgentUnavailable, Message: "Interrupted. The agent ended in a turn that it had begun by itself", Hint: "what it changed can be reviewed"}})
		}
	}
	return out
}

// ownOver ends a turn of the agent's own of which no log tells.
func (s *state) ownOver() []effect {
	if s.turn == nil || s.turn.own == nil || s.phase == settling {
		return nil
	}
	switch look, over := s.turn.own.Next(s.calls, s.hands); {
	case over:
		return s.ended(endedIn{turn: s.turn})
	case look > 0:
		return []effect{lookAgain{s.turn, look}}
	}
	return nil
}

// aborts says of a turn that is cancelled whether the agent has to be told in another way than by session/cancel, and notes it.
func (t *turn) aborts() bool {
	t.aborting = t.own != nil && t.own.Logged
	return t.aborting
}

// hushed says whether an update is not shown: what is said in a turn of the agent's own between its cancel and its end, see
// [Session.abort].
func (s *state) hushed(u acp.SessionUpdate) bool {
	_, said := u.(*acp.AgentMessageChunk)
	return said && s.turn != nil && s.turn.aborting
}

// abort ends a turn that Copilot has begun by itself: it does not heed a session/cancel then (1.0.102), but gives up what it does
// for a prompt. This one it answers without asking the model and without keeping it; nobody is shown the answer. It runs on a
// goroutine of the session's.
func (s *Session) abort(t *turn, a *agents.Process, remote acp.SessionID) {
	s.routing.SetReplay(true, true)
	heard := func() { s.routing.SetReplay(false, false) }
	defer heard()
	_, err := acp.Call[acp.PromptResponse](acp.WhenAnswered(s.life, heard), a.Agent, acp.MethodSessionPrompt,
		&acp.PromptRequest{SessionID: remote, Prompt: []acp.ContentBlock{acp.Text("/usage")}})
	if err != nil {
		s.log.Warn().Err(err).Msg("abort a turn of the agent's own") // a second cancel ends the agent
		return
	}
	s.in.put(endedIn{turn: t})
}

// acts says whether a request of the agent is work, for which there has to be a turn.
func acts(method string) bool {
	switch method {
	case acp.MethodSessionRequestPermission, acp.MethodFSWriteTextFile, acp.MethodTerminalCreate:
		return true
	}
	return false
}

// OnItsOwn says that a turn runs which the agent has begun by itself.
func (s *Session) OnItsOwn() bool { return s.snap.read().own }

// look reads the agent's own log, where it has one, for a turn of its own in which nothing is in the agent's hands any more. Copilot
// writes to it behind what it does and says, and nothing tells how far behind: what is written within logLimit counts. It runs on a
// goroutine of the session's.
func (s *Session) look(e lookAgain) {
	if s.stateDir() != "" {
		s.hear()
		s.follow() // what comes later is followed as it is written
		late := time.NewTimer(logLimit)
		defer late.Stop()
		select {
		case <-late.C:
		case <-e.turn.ended:
		case <-s.life.Done():
		}
	}
	s.in.put(lookedIn(e))
}

// endOwn ends a turn of the agent's own of which its log says that it is over, when all that it said in it has come. It runs on a
// goroutine of the session's.
func (s *Session) endOwn(t *turn) {
	s.hear()
	s.in.put(endedIn{turn: t})
}

// hear waits until all has come that the agent has said up to now: an answer comes after that, whatever it is (ACP v1: a method that
// begins with an underscore is somebody's own).
func (s *Session) hear() {
	if a := s.snap.read().agent; a != nil && !a.IsGone() {
		ctx, cancel := context.WithTimeout(s.life, ownEndLimit)
		_, _ = a.Agent.Call(ctx, "_copilot-bridge/turn", jsontext.Value("{}"))
		cancel()
	}
}
