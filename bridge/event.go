package bridge

import (
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/session"
)

// Event is something an [Editor] is shown: one of those here.
type Event = session.Event

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

// What is shown of a session, its turns and commands.
type (
	TurnStarted    = session.TurnStarted
	TurnEnded      = session.TurnEnded
	TerminalOutput = session.TerminalOutput
	Exit           = session.Exit
	StatusChanged  = session.StatusChanged
	StatusKind     = session.StatusKind
	SessionChanged = session.SessionChanged
	ContextUse     = session.ContextUse
)

// StopReasonError is the stop reason of a turn that failed.
const StopReasonError = conversation.StopReasonError

const (
	StatusOK        = session.StatusOK
	StatusBusy      = session.StatusBusy
	StatusWaiting   = session.StatusWaiting
	StatusSignedOut = session.StatusSignedOut
	StatusError     = session.StatusError
)

// ReviewChanged gives the pending hunks of one file, all of them.
type ReviewChanged struct {
	Path  string
	Kind  review.Kind
	From  string // of a move
	Hunks []review.Hunk
}

func (*ReviewChanged) IsEvent() {}
