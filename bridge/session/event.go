package session

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// Event is something an [Editor] is shown. The set is closed: *Message, *TurnStarted, *TurnEnded, *bridge.ReviewChanged,
// *TerminalOutput, *StatusChanged, *SessionChanged, *Replayed. Messages that are no updates, requests of the agent's among
// them, are for editors that speak ACP.
type Event = conversation.Event

// What is shown and kept of a conversation.
type (
	Message    = conversation.Message
	Replayed   = conversation.Replayed
	Happening  = conversation.Happening
	FileCount  = conversation.FileCount
	ContextRef = conversation.ContextRef
	Markdown   = conversation.Markdown
	Notice     = conversation.Notice
)

// StopReasonError is the stop reason of a turn that failed.
const StopReasonError = conversation.StopReasonError

// TurnStarted says that a prompt left the queue, or that the agent has begun a turn by itself.
type TurnStarted struct {
	Session, Turn string
	Prompt        []acp.ContentBlock // as the user sent it, nil with Own
	Own           bool               // the agent began it, nobody's prompt

	refs []ContextRef
}

// TurnEnded says how a turn ended. It comes after the last Update of the turn.
type TurnEnded struct {
	Session, Turn string
	StopReason    acp.StopReason // ACP's, or StopReasonError
	Own           bool           // as in TurnStarted
	Usage         []byte         // the agent's own usage object as JSON, nil if it sent none
	Err           *Error         // set whenever the turn did not run to its end for another reason than a cancel
	Said          bool           // Err repeats what the agent has said in a notice of its own
	Files         []FileCount
	Answer        jsontext.Value // the agent's to the prompt, as it came; nil if there was none
	Lost          bool           // the agent has not answered the prompt: "turn_interrupted" follows, and offers it again

	lost *conversation.LostPrompt // what can be sent again
	cut  bool                     // it ended with the bridge: it is left open in the store, so that the next run finds it
}

// TerminalOutput is output of a command as it comes. ExitCode or Signal is set in the last one of a terminal only.
type TerminalOutput struct {
	Session, Terminal string
	Data              string
	Truncated         bool
	Exit              *Exit
	Command           string // with Exit, for who could not list the terminal in time: as the agent gave it, "" of a terminal of its own
	Args              []string
}

// Exit says how a command ended: by a code, or by a signal such as "SIGKILL".
type Exit = terminalproxy.Exit

// StatusKind is the state of the bridge in one word.
type StatusKind string

const (
	StatusOK        StatusKind = "ok"
	StatusBusy      StatusKind = "busy"
	StatusWaiting   StatusKind = "waiting" // for the user
	StatusSignedOut StatusKind = "signedOut"
	StatusError     StatusKind = "error"
)

// StatusChanged is what a status line shows. Message is one sentence.
type StatusChanged struct {
	Session   string // "" for the bridge as a whole
	Kind      StatusKind
	Message   string
	Asking    bool // with StatusWaiting: a question is with the user, whom the front shows it anyway
	Gone      bool // with StatusError: the agent has ended. The end of a turn that ran tells of it too, before or after
	Unstarted bool // with StatusError: the agent could not be started. Who waits for it is told so too
}

// SessionChanged tells what is new about a session; a nil field has not changed.
type SessionChanged struct {
	Session  string
	Title    *string
	Level    policy.Level // "" as before
	Modes    *acp.SessionModeState
	Options  []acp.SessionConfigOption
	Commands []acp.AvailableCommand
	Context  *ContextUse
	Queue    []Waiting // all prompts that wait, the next one first; empty and not nil where none waits any more
	Event    *Happening

	queued *Waiting // the one of Queue that is new or was replaced, which is kept
}

// ContextUse is how full the agent's context window is, in tokens.
type ContextUse struct{ Used, Size uint64 }

func (*TurnStarted) IsEvent()    {}
func (*TurnEnded) IsEvent()      {}
func (*TerminalOutput) IsEvent() {}
func (*StatusChanged) IsEvent()  {}
func (*SessionChanged) IsEvent() {}
