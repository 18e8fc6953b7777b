package bridge

import (
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/session"
)

// The front's side of the bridge, see package session.
type (
	Editor       = session.Editor
	DirectEditor = session.DirectEditor
	Terminals    = session.Terminals
	Reader       = session.Reader
)

// ErrUnsupported is what an [Editor] answers to a wish its front cannot grant; the bridge then does without.
var ErrUnsupported = host.ErrUnsupported

// What is asked and answered.
type (
	Question     = permission.Question
	FileDiff     = permission.FileDiff
	Hunk         = permission.Hunk
	Answer       = permission.Answer
	InputRequest = session.InputRequest
	InputAnswer  = session.InputAnswer
	InputAction  = session.InputAction
)

// OptUnsaved is the option of a command's question that runs it without saving first.
const OptUnsaved = permission.OptUnsaved

const (
	InputAccept  = session.InputAccept
	InputDecline = session.InputDecline
	InputCancel  = session.InputCancel
)

// What an editor knows of its files, see package host.
type (
	FileDiagnostics = host.FileDiagnostics
	Diagnostic      = host.Diagnostic
	Selection       = host.Selection
	Diagnosed       = host.Diagnosed
	LanguageServers = host.LanguageServers
)

// What fronts say and are told of sessions, see package session.
type (
	NewSessionRequest = session.NewSessionRequest
	Info              = session.Info
	SpecialMode       = session.SpecialMode
	Prompt            = session.Prompt
	Cancellation      = session.Cancellation
	Turn              = session.Turn
	Waiting           = session.Waiting
	Compacted         = session.Compacted
	Archive           = session.Archive
)

// What fronts ask without a bridge.
var (
	OpenArchive   = session.OpenArchive
	FailureReason = conversation.FailureReason
	AliasOf       = session.AliasOf
	RequestOf     = session.RequestOf
)
