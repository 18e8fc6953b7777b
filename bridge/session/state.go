package session

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/calls"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
)

// phase is where a session is between prompts.
type phase int

const (
	idle       phase = iota // no turn
	running                 // the agent works on turn
	cancelling              // the agent was asked to stop
	settling                // the agent is done, the bridge compares what changed
	closed                  // nothing happens any more
)

func (p phase) String() string {
	return [...]string{"idle", "running", "cancelling", "settling", "closed"}[p]
}

// state is everything that changes in a session. Only step changes it, on the session's goroutine.
type state struct {
	known // what others may read

	life  context.Context // the session's
	now   func() time.Time
	newID func() string // of a turn
	phase phase
	turn  *turn    // set while phase is running, cancelling or settling
	queue []*turn  // prompts that wait, oldest first
	steer []string // what the user added to the running turn and the agent has not been told yet

	openers []chan struct{} // of those that want to make the session known to an agent process; the first one may

	asking int      // questions that wait for the user
	hands  int      // what is being done for the agent, of what needs a turn
	late   []effect // of that, what waits for the next turn to begin

	speaksACP bool // see [Bridge.speaksACP]

	replay bool // a load is under way: updates are history
	mute   bool // and have been shown before

	calls *calls.Table // tool calls of the turn, and of background work after it
	chunk copilot.Classifier

	plan    permission.PlanHold
	moved   bool     // plan, Modes or Options are others since the last step
	running []string // titles of the commands that run
}

// String prints the state for logs and failed tests.
func (s *state) String() string {
	t := "-"
	if s.turn != nil {
		t = s.turn.id
	}
	return fmt.Sprintf("%s %v turn=%s queued=%d open calls=%d replay=%v", s.ID, s.phase, t, len(s.queue), s.calls.Open(), s.replay)
}

// step moves the session from one state to the next. It is pure but for s: what has to be done is returned.
func (s *state) step(in any) []effect {
	out := s.react(in)
	out = append(append(out, s.ownOver()...), s.due()...)
	if s.moved {
		s.moved = false
		out = append(out, modesKnown{s.plan, s.Modes, s.Options})
	}
	if s.prompts = len(s.queue); s.turn != nil {
		s.prompts++
	}
	s.own = s.turn != nil && s.turn.own != nil
	return out
}

func (s *state) react(in any) []effect {
	if s.phase == closed {
		switch in := in.(type) {
		case messageIn:
			if in.msg.Request != nil {
				return []effect{serve{req: in.msg.Request, at: in.at}} // by a refusal: every request has an answer
			}
			if s.speaksACP && !in.shown {
				return []effect{emit{&Message{Message: in.msg, Session: s.ID}}}
			}
		case interface{ refuse() effect }:
			return []effect{in.refuse()}
		}
		return nil
	}
	switch in := in.(type) {
	case promptIn:
		return s.prompt(in)
	case steerIn:
		return []effect{in.answer(s.steers(in.text))}
	case takeSteerIn:
		text := strings.Join(s.steer, "\n")
		s.steer = nil
		return []effect{in.answer(addition{s.turnID(), text})}
	case editIn:
		return s.replace(in)
	case withdrawIn:
		if s.turn == nil || s.turn.id != in.turn {
			return s.cancel(cancelIn{Cancellation{Turn: in.turn}})
		}
	case cancelIn:
		return s.cancel(in)
	case messageIn:
		if in.msg.Request != nil {
			return s.asked(in)
		}
		return s.message(in)
	case watchIn:
		s.calls.Watch(in.watch)
	case unwatchIn:
		s.calls.Unwatch(in.watch)
	case changedIn:
		return []effect{in.answer(in.watch.Changed)}
	case endedIn:
		return s.ended(in)
	case settledIn:
		return s.settled(in)
	case toolIn:
		s.calls.Add(in.use)
		return s.inTurn(in.answer(struct{}{}))
	case terminalIn:
		in.use.Terminal = in.id
		s.calls.Pass(in.use)
		return s.tellTerminal(in.use)
	case refusedIn:
		if in.use == nil {
			s.calls.Refused(in.id, in.why)
		} else {
			in.use.No, in.use.NoFirst = in.why, s.speaksACP
		}
	case orderIn, giveUpIn, backIn, askOverIn, pastIn:
		s.ordered(in)
	case diffIn:
		in.use.Diffs = append(in.use.Diffs, in.diff)
	case awayIn:
		in.use.EditorTerminal = in.id
	case replayIn:
		out := []effect{}
		if !in.on && !s.speaksACP {
			out = s.closeCalls()
		}
		s.replay, s.mute = in.on, in.on && in.mute
		return out
	case setIn:
		return s.set(in)
	case levelIn:
		return s.setLevel(in)
	case levelSavedIn:
		return s.levelSaved(in)
	case holdIn, choiceIn, chosenIn:
		return s.hold(in)
	case askingIn:
		s.asking++
		return []effect{emit{&StatusChanged{Session: s.ID, Kind: StatusWaiting, Message: in.title, Asking: true}}}
	case answeredIn:
		s.asking--
		return s.answered()
	case commandsIn:
		s.running = in.running
		if s.phase == idle && s.asking == 0 {
			return []effect{s.rest()}
		}
	case eventIn:
		return []effect{emit{&SessionChanged{Session: s.ID, Event: in.event}}}
	case syncIn:
		return []effect{in.answer(struct{}{})}
	case openIn, openedIn, loadingIn, boundIn, toolsLostIn, reopenIn, agreedIn, restoringIn, titleIn:
		return s.atAgent(in)
	case signIn, lookedIn, doneIn, goneIn:
		return s.about(in)
	case closeIn:
		return s.close(in.cutOff)
	}
	return nil
}

func (s *state) begin(t *turn) []effect {
	t.ctx, t.end = context.WithCancel(withTurn(s.life, t.id))
	s.phase, s.turn, s.ctx = running, t, t.ctx
	s.chunk = copilot.Classifier{}
	s.Turns++
	s.Updated = s.now()
	return []effect{
		emit{&TurnStarted{Session: s.ID, Turn: t.id, Prompt: t.blocks, Own: t.own != nil, refs: t.refs}},
		emit{&StatusChanged{Session: s.ID, Kind: StatusBusy, Message: "Copilot is working"}},
		startTurn{t},
	}
}

// cancel takes a waiting turn out of the queue, or stops the running one. A second cancel of a turn that the agent
// does not end kills the agent (it ignores session/cancel), unless it is only the same wish again.
func (s *state) cancel(in cancelIn) []effect {
	id := in.Turn
	var out []effect
	rest := s.queue[:0]
	for _, t := range s.queue {
		if id == "" || t.id == id {
			out = append(out, emit{&TurnEnded{Session: s.ID, Turn: t.id, StopReason: acp.StopReasonCancelled}})
			continue
		}
		rest = append(rest, t)
	}
	s.queue = rest
	if len(out) > 0 {
		out = append(out, s.waits(nil))
	}
	if s.turn == nil || id != "" && s.turn.id != id {
		return out
	}
	switch s.phase {
	case running:
		s.phase, s.turn.cancelled, s.turn.cancel = cancelling, true, in.Params
		out = append(out, cancelTurn{s.turn, s.turn.aborts()})
	case cancelling:
		if !in.Repeated && s.agent != nil {
			out = append(out, killAgent{s.agent})
		}
	}
	return out
}

// answered shows what goes on after a question, unless another one is open. A question that was withdrawn may come to
// its end after its turn.
func (s *state) answered() []effect {
	switch {
	case s.asking > 0 || s.phase == settling:
		return nil
	case s.phase == idle:
		return []effect{s.rest()}
	}
	return []effect{emit{&StatusChanged{Session: s.ID, Kind: StatusBusy, Message: "Copilot is working"}}}
}

func (s *state) ended(in endedIn) []effect {
	if s.turn != in.turn {
		return nil // of a turn that was given up with its agent
	}
	s.turn.resp, s.turn.err, s.turn.answer = in.resp, in.err, in.answer
	s.phase, s.ctx = settling, nil
	out := s.notices(s.chunk.Flush())
	open := s.closeCalls()
	if !s.speaksACP || in.err != nil || in.turn.own != nil { // an editor that speaks ACP closes the calls of a turn that it has cancelled
		out = append(out, open...)
	}
	return append(out, settle{s.turn})
}

func (s *state) settled(in settledIn) []effect {
	if s.turn != in.turn {
		return nil
	}
	end := &TurnEnded{Session: s.ID, Turn: in.turn.id, Files: in.files, Answer: in.turn.answer}
	in.turn.result(end)
	out := []effect{emit{end}}
	if end.Lost {
		out = append(out, emit{&SessionChanged{Session: s.ID, Event: end.lost.Interrupted(agentEnded(end))}})
	}
	s.phase, s.turn = idle, nil
	if len(s.queue) == 0 {
		if end.Err == nil {
			return append(append(out, s.rest()), s.catchUp()...)
		}
		kind := StatusError
		if end.Err.Code == CodeNotSignedIn {
			kind = StatusSignedOut
		}
		return append(append(out, emit{&StatusChanged{Session: s.ID, Kind: kind, Message: end.Err.Error()}}), s.catchUp()...)
	}
	next := s.queue[0]
	s.queue = append(s.queue[:0:0], s.queue[1:]...)
	out = append(append(out, s.begin(next)...), s.waits(nil))
	return append(out, s.catchUp()...)
}

// rest is the status between turns: commands of the agent's may still run.
func (s *state) rest() effect {
	st := &StatusChanged{Session: s.ID, Kind: StatusOK, Message: "ready"}
	if n := len(s.running); n > 0 {
		st.Kind, st.Message = StatusBusy, "ready; still running: "+s.running[0]
		if n > 1 {
			st.Message += fmt.Sprintf(" and %d more", n-1)
		}
	}
	return emit{st}
}

// closeCalls ends the tool calls that the agent left open: Copilot leaves them pending after a cancel, and in the
// history of a session that was killed.
func (s *state) closeCalls() []effect {
	var out []effect
	for _, c := range s.calls.TakeOpen() {
		out = append(out, s.show(conversation.CancelledCall(c.ID)))
	}
	return out
}

func (s *state) set(in setIn) []effect {
	ev := &SessionChanged{Session: s.ID}
	out := []effect{emit{ev}}
	s.moved = true
	s.plan.Offered(in.modes, in.options)
	if in.modes != nil {
		s.Modes = s.plan.Modes(in.modes)
		ev.Modes = s.Modes
		out = append(out, s.contradicted(in.modes.CurrentModeID)...)
	}
	if in.options != nil {
		s.Options = s.plan.Options(in.options)
		ev.Options = s.Options
		out = append(out, s.optionsContradict(in.options)...)
	}
	return out
}

// close ends the session and what it does. The agent lives on: it may have other sessions. What is cut off by the end
// of the bridge is not what the user cancelled: the next run offers it again.
func (s *state) close(cutOff bool) []effect {
	var out []effect
	stop := func(t *turn) {
		out = append(out, emit{&TurnEnded{Session: s.ID, Turn: t.id, StopReason: acp.StopReasonCancelled, cut: cutOff}})
	}
	for _, t := range s.queue {
		stop(t)
	}
	if len(s.queue) > 0 {
		s.queue = nil
		out = append(out, s.waits(nil))
	}
	if s.phase == running { // a second cancel would kill the agent
		out = append(out, cancelTurn{turn: s.turn})
	}
	out = append(out, s.closeCalls()...)
	switch {
	case s.phase == settling: // the agent was done with it
		end := &TurnEnded{Session: s.ID, Turn: s.turn.id, StopReason: acp.StopReasonCancelled}
		s.turn.result(end)
		out = append(out, emit{end})
	case s.turn != nil:
		cutOff = cutOff && !s.turn.cancelled
		stop(s.turn)
	}
	s.phase, s.turn, s.Live = closed, nil, false
	out, s.late = append(out, s.late...), nil
	return append(out, endSession{})
}

// turnID is the id of the running turn, "" between turns (background shells and sub-agents go on after a turn).
func (s *state) turnID() string {
	if s.turn == nil {
		return ""
	}
	return s.turn.id
}

// show shows an update of the bridge's own.
func (s *state) show(u acp.SessionUpdate) effect {
	if s.mute {
		return nil
	}
	return emit{&Message{Message: acp.NewUpdate("", u), Session: s.ID, Turn: s.turnID(), Replay: s.replay}}
}

// asked takes in what the agent wants of the client, with what is known of the tool call that it is about.
func (s *state) asked(in messageIn) []effect {
	req := in.msg.Request
	asked := askedCall(req)
	if asked == nil && acts(req.Method()) {
		return s.inTurn(serve{req: req, at: in.at})
	} else if asked == nil {
		return []effect{serve{req: req, at: in.at}}
	}
	known := s.calls.Said(asked.ToolCallID)
	w := calls.NewWatch(known, asked)
	s.calls.Watch(w)
	var ask *calls.Ask
	if in.at == nil { // else it is put in the order of the wire
		ask = s.calls.Coming(asked.ToolCallID)
	}
	return s.inTurn(serve{req, known, in.at, w, s.calls.Stale(asked.ToolCallID), ask})
}
