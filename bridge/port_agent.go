package bridge

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
)

// Agent is a running agent as the bridge needs it; *agent.Agent is one. What it says arrives at the [agent.Handler] it was
// started with: every update of a turn before the prompt is answered, in the order in which the agent sent them. [acp.Call]
// is for typed requests.
//
// An error that is [agent.ErrSignedOut] means that the user has to sign in first.
type Agent interface {
	Info() agent.Info
	// Call calls a method of ACP v1. A session/prompt takes as long as its turn, and runs what [acp.WhenQueued] put into its
	// context as soon as a session/cancel would reach the turn.
	acp.Caller
	// Notify sends a notification. After a session/cancel the prompt is answered all the same.
	Notify(ctx context.Context, method string, params jsontext.Value) error
	// Close ends the agent and its children, within 4 s.
	Close(context.Context) error
	Done() <-chan struct{}
}

// Starter starts the agent. The bridge calls it when the first session needs it and again after a crash.
type Starter func(ctx context.Context, h agent.Handler) (Agent, error)
