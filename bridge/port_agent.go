package bridge

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
)

// Agent is a running agent as the bridge needs it; *agent.Agent is one. Its events arrive at the [agent.Handler] it was
// started with: every update of a turn before Prompt returns, in the order in which the agent sent them.
//
// An error that is [agent.ErrSignedOut] means that the person has to sign in first.
type Agent interface {
	Info() agent.Info
	NewSession(context.Context, *acp.NewSessionRequest) (*acp.NewSessionResponse, error)
	LoadSession(context.Context, *acp.LoadSessionRequest) (*acp.LoadSessionResponse, error)
	ListSessions(context.Context, *acp.ListSessionsRequest) (*acp.ListSessionsResponse, error)
	CloseSession(context.Context, acp.SessionID) error
	// Prompt runs one turn; it returns when the turn is over. There is no time limit. It runs what [acp.WhenQueued] put
	// into its context as soon as a Cancel would reach the turn.
	Prompt(context.Context, *acp.PromptRequest) (*acp.PromptResponse, error)
	// Cancel asks for the end of the turn that runs; Prompt still returns.
	Cancel(context.Context, acp.SessionID) error
	SetMode(context.Context, *acp.SetSessionModeRequest) error
	SetConfigOption(context.Context, *acp.SetSessionConfigOptionRequest) (*acp.SetSessionConfigOptionResponse, error)
	// Close ends the agent and its children, within 4 s.
	Close(context.Context) error
	Done() <-chan struct{}
}

// Starter starts the agent. The bridge calls it when the first session needs it and again after a crash.
type Starter func(ctx context.Context, h agent.Handler) (Agent, error)
