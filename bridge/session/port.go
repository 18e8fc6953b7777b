package session

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
)

// ErrUnsupported is what an [Editor] answers to a wish its front cannot grant; the bridge then does without.
var ErrUnsupported = host.ErrUnsupported

// Editor is the front's side of the bridge: what the user sees and answers. Buffers are not here, they are an
// [fsproxy.Overlay] and an [fsproxy.Editor] in [Config].
//
// All methods may be called concurrently but Show.
type Editor interface {
	// Show hands over one event. Calls come from one goroutine, in order, nothing is left out. Show may block while
	// the front's peer is slow: adjacent text chunks merge behind it meanwhile. It must return when ctx ends.
	Show(ctx context.Context, ev Event)

	// Ask puts a permission question and waits for the user, for hours if need be. It returns when ctx ends (the
	// question is withdrawn). Any error, and an answer that names no option of the question, means no. It calls [acp.Queued] with ctx
	// when the question cannot be overtaken any more by one that is put after that.
	Ask(ctx context.Context, q *Question) (Answer, error)

	// Input asks for values (ACP v1 elicitation). [ErrUnsupported] makes the bridge decline for the user. It calls [acp.Queued] as Ask does.
	Input(ctx context.Context, in *InputRequest) (InputAnswer, error)

	host.Editor // what it knows of its files beside their text
}

// Asker is an [Editor] that knows whether its user can be asked for values. One that is none has no way to.
type Asker interface {
	// CanAsk is asked when an agent's session begins.
	CanAsk() bool
}

// DirectEditor is an [Editor] that is shown the agent's bytes, and can be shown a chunk of text by the goroutine that reads
// it from the agent. Its calls and those of Show never overlap. Nothing is merged for it: while it does not read, the agent
// waits.
type DirectEditor interface {
	Editor

	// ShowNow is Show for one notification, of which nothing may be kept. After one with More comes another call of ShowNow,
	// or Drained.
	ShowNow(ctx context.Context, m *Message)

	// Drained sends what was put off for the sake of more. It does not wait.
	Drained()
}

// What is asked and answered, see package permission.
type (
	Question = permission.Question
	FileDiff = permission.FileDiff
	Hunk     = permission.Hunk
	Answer   = permission.Answer
)

// What an editor knows of its files, see package host.
type (
	FileDiagnostics = host.FileDiagnostics
	Diagnostic      = host.Diagnostic
	Selection       = host.Selection
)

// InputRequest asks the user for values (ACP v1 elicitation).
type InputRequest struct {
	ID      string
	Session string
	Message string
	Schema  *acp.ElicitationSchema // form mode, nil in url mode
	URL     string                 // url mode: shown whole, opened only with consent
}

// InputAnswer is what came of an [InputRequest].
type InputAnswer struct {
	Action  InputAction
	Content map[string]any // with InputAccept in form mode: string, int64, float64, bool or []string
}

// InputAction is what the user did with an [InputRequest].
type InputAction string

const (
	InputAccept  InputAction = "accept"
	InputDecline InputAction = "decline"
	InputCancel  InputAction = "cancel"
)
