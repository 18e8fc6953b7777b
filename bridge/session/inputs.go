package session

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/calls"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/wire"
)

// The inputs of step.
type (
	promptIn struct {
		question[accepted]
		turn *turn
		next bool // before those that wait
	}
	editIn struct { // a prompt that waits is replaced; the answer is whether it waited still
		question[bool]
		turn   string
		blocks []acp.ContentBlock
	}
	steerIn struct { // the user adds to the turn that runs; the answer is the turn, "" if there is none
		question[string]
		text string
	}
	takeSteerIn struct{ question[addition] } // what was added is told now
	withdrawIn  struct{ turn string }        // a prompt that waits is not wanted any more
	cancelIn    struct{ Cancellation }
	messageIn   struct { // the agent says something, or wants something of the client
		msg   *acp.Message
		at    *wire.Reservation // where the editor is shown it, or what the request asks of the editor; nil for nowhere
		shown bool              // the editor has it already
	}
	endedIn struct { // the agent has answered the prompt
		turn   *turn
		answer jsontext.Value // as it came
		resp   *acp.PromptResponse
		err    error
	}
	settledIn struct { // what the turn changed is known
		turn  *turn
		files []FileCount
	}
	toolIn struct { // an editor tool was called; the answer comes when there is a turn for it
		question[struct{}]
		use *calls.Use
	}
	// a command of an editor tool has begun
	terminalIn struct {
		use *calls.Use
		id  string
	}
	refusedIn struct { // it, or a tool of the agent's own, was not done; why is for the user
		use *calls.Use
		id  acp.ToolCallID
		why string
	}
	diffIn struct { // and has changed a file
		use  *calls.Use
		diff FileDiff
	}
	awayIn struct { // its command runs in a terminal of the editor
		use *calls.Use
		id  string
	}
	replayIn struct {
		on   bool
		mute bool // the history has been shown before: learn from it, show nothing
	}
	setIn struct { // what session/new and session/load answered
		modes   *acp.SessionModeState
		options []acp.SessionConfigOption
	}
	askingIn   struct{ title string }       // the user is asked something
	answeredIn struct{}                     // and it has come to an end
	commandsIn struct{ running []string }   // a command has begun or ended
	eventIn    struct{ event *Happening }   // the agent tells something beside its updates
	syncIn     struct{ question[struct{}] } // answered when all before it has been taken in
	closeIn    struct {
		cutOff bool // the bridge ends, and not because the user wants the session to
	}
)

// The outputs of step, carried out by the session in order.
type (
	emit       struct{ ev Event }
	startTurn  struct{ turn *turn }
	cancelTurn struct { // tell the agent, end the turn's context
		turn  *turn
		abort bool // the agent does not heed a cancel of a turn that it began by itself
	}
	killAgent struct{ agent *agents.Process } // it ignored a cancel, and the user asked again
	settle    struct{ turn *turn }
	serve     struct {
		req   *acp.Request
		call  *acp.ToolCallUpdate // what was said of the tool call that it asks about
		at    *wire.Reservation
		watch *calls.Watch // of the question that it is, nil if it is none
		stale bool         // the call's id is one of an earlier turn's, see [calls.Table.Stale]
		ask   *calls.Ask   // its place among the agent's questions, nil for none
	}
	endSession struct{}

	settingsKnown struct{} // the store knows the modes and options, see [Session.saveSettings]
	modesKnown    struct { // the gate decides by them
		plan    permission.PlanHold
		modes   *acp.SessionModeState
		options []acp.SessionConfigOption
	}
	reply struct { // to a question
		send   func()
		answer any
	}
)

type effect any

// question is an input that step answers. to has room for the answer; it is closed when the session has ended.
type question[T any] struct{ to chan T }

func (q question[T]) answer(a T) effect { return reply{func() { q.to <- a }, a} }

func (q question[T]) refuse() effect { return reply{func() { close(q.to) }, nil} }

// The inputs of step that are about a question while the user is asked, see [calls.Watch].
type (
	watchIn   struct{ watch *calls.Watch } // a question is put
	unwatchIn struct{ watch *calls.Watch } // and has its answer; nil is none
	changedIn struct {                     // has the agent said something else since?
		question[bool]
		watch *calls.Watch
	}
)
