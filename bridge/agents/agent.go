package agents

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
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

// Starter starts the agent. The pool calls it when the first session needs it and again after a crash.
type Starter func(ctx context.Context, h agent.Handler) (Agent, error)

// Info is a running agent as the user is shown it.
type Info struct {
	Name, Version string
	PID           int
	Capabilities  acp.AgentCapabilities
	Quirks        []copilot.Quirk // of Copilot CLI, by its version
	AuthMethods   []acp.AuthMethod
}

// QuirkNames are the agent's known oddities, each with its reason.
func (i Info) QuirkNames() []string {
	out := []string{}
	for _, q := range i.Quirks {
		out = append(out, q.Name+": "+q.Reason)
	}
	return out
}

// Capabilities are what the bridge does for an agent (ACP v1 ClientCapabilities).
func Capabilities() acp.ClientCapabilities {
	return acp.ClientCapabilities{
		FS:       acp.FileSystemCapabilities{ReadTextFile: true, WriteTextFile: true},
		Terminal: true,
		Elicitation: &acp.ElicitationCapabilities{
			Form: &acp.ElicitationFormCapabilities{}, URL: &acp.ElicitationURLCapabilities{},
		},
		Session: &acp.ClientSessionCapabilities{
			ConfigOptions: &acp.SessionConfigOptionsCapabilities{Boolean: &acp.BooleanConfigOptionCapabilities{}},
			Notices:       &acp.NoticeCapabilities{}, Compaction: &acp.CompactionCapabilities{},
		},
	}
}

func clientInfo(version string) acp.Implementation {
	title := "Copilot Bridge"
	return acp.Implementation{Name: "copilot-bridge", Title: &title, Version: version}
}
