package session_test

import (
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/session"
)

// What is tested is a whole bridge, by the names that a front has for it.
type (
	Agent             = bridge.Agent
	Answer            = bridge.Answer
	Bridge            = bridge.Bridge
	Cancellation      = bridge.Cancellation
	Config            = bridge.Config
	Error             = bridge.Error
	Event             = bridge.Event
	Editor            = bridge.Editor
	Exit              = bridge.Exit
	AgentKind         = bridge.AgentKind
	ContextRef        = bridge.ContextRef
	ContextUse        = bridge.ContextUse
	Diagnostic        = bridge.Diagnostic
	FileCount         = bridge.FileCount
	FileDiagnostics   = bridge.FileDiagnostics
	FileDiff          = bridge.FileDiff
	FlushMode         = bridge.FlushMode
	Happening         = bridge.Happening
	Hunk              = bridge.Hunk
	Info              = bridge.Info
	InputAnswer       = bridge.InputAnswer
	InputRequest      = bridge.InputRequest
	Message           = bridge.Message
	NewSessionRequest = bridge.NewSessionRequest
	Prompt            = bridge.Prompt
	Question          = bridge.Question
	Refusal           = bridge.Refusal
	Replayed          = bridge.Replayed
	ReviewChanged     = bridge.ReviewChanged
	Selection         = bridge.Selection
	Session           = session.Session
	SessionChanged    = bridge.SessionChanged
	StatusChanged     = bridge.StatusChanged
	StatusKind        = bridge.StatusKind
	TerminalOutput    = bridge.TerminalOutput
	Turn              = bridge.Turn
	TurnEnded         = bridge.TurnEnded
	TurnStarted       = bridge.TurnStarted
	Waiting           = bridge.Waiting

	link = session.Link
)

var (
	New            = bridge.New
	Capabilities   = bridge.Capabilities
	ErrUnsupported = bridge.ErrUnsupported

	asError = session.AsError
	printed = session.Printed
	realDir = session.RealDir
	version = session.ProvenVersion
)

const (
	CodeAgentUnavailable = bridge.CodeAgentUnavailable
	CodeDenied           = bridge.CodeDenied
	CodeInternal         = bridge.CodeInternal
	CodeInvalidParams    = bridge.CodeInvalidParams
	CodeNotSignedIn      = bridge.CodeNotSignedIn
	CodeSessionNotFound  = bridge.CodeSessionNotFound
	CodeTurnInProgress   = bridge.CodeTurnInProgress

	FlushAsk   = bridge.FlushAsk
	FlushDisk  = bridge.FlushDisk
	FlushNever = bridge.FlushNever

	InputAccept  = bridge.InputAccept
	InputCancel  = bridge.InputCancel
	InputDecline = bridge.InputDecline

	KindACP        = bridge.KindACP
	KindAuto       = bridge.KindAuto
	KindCopilot    = bridge.KindCopilot
	KindTranscript = bridge.KindTranscript

	AuthSignedIn  = bridge.AuthSignedIn
	AuthSignedOut = bridge.AuthSignedOut
	AuthUnknown   = bridge.AuthUnknown

	StatusBusy      = bridge.StatusBusy
	StatusError     = bridge.StatusError
	StatusOK        = bridge.StatusOK
	StatusSignedOut = bridge.StatusSignedOut
	StatusWaiting   = bridge.StatusWaiting
	StopReasonError = bridge.StopReasonError

	maxTurnsQueued = session.MaxTurnsQueued
)
