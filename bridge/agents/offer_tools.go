package agents

import (
	"context"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/acp/agent"
)

// ToolsOffer is the question whether an agent that nobody knows is to have the editor tools: it has read no file through the editor so
// far, and there is text that is not on disk.
type ToolsOffer struct {
	Agent   string   // its name
	Unsaved []string // the files, as the user is shown them
}

// TakesTools asks the user, once for all processes of the pool, whether the agent is to have the editor tools. It matters where there
// is text that only the editor has: unsaved names those files. With a yes this process has ended, and the next one has the tools. It
// is called before a prompt is sent, by the session's turn.
func (a *Process) TakesTools(ctx context.Context, unsaved func() []string) bool {
	if !a.mayTake() {
		return false
	}
	names := unsaved()
	if len(names) == 0 {
		return false
	}
	p := a.pool
	p.mu.Lock()
	asked := p.toolsAsked
	p.toolsAsked = true
	p.mu.Unlock()
	if asked || !p.cfg.OfferTools(ctx, ToolsOffer{a.Name(), names}) {
		return false
	}
	p.mu.Lock()
	p.toolsTaken = true
	p.mu.Unlock()
	a.Drop("it is started again with the editor tools")
	return true
}

// mayTake says whether the question has a meaning: nothing is known of the agent, and nothing is lost when it starts anew.
func (a *Process) mayTake() bool {
	cfg := &a.pool.cfg
	if cfg.Gets != GetsAuto && cfg.Gets != "" || cfg.OfferTools == nil || !a.hands() || a.Copilot || a.PerTurn || a.Tools != nil || a.asksClient.Load() {
		return false
	}
	info := a.Agent.Info()
	if slices.Contains(agent.WithoutMCP(), info.Name) || slices.Contains(agent.ReadThroughClient(), info.Name) {
		return false
	}
	loads := info.Capabilities.LoadSession || info.Capabilities.SessionCapabilities.Resume != nil
	return a.alone() && (loads || !a.spoke.Load())
}

// takesTools says whether the user has agreed.
func (p *Pool) takesTools() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.toolsTaken
}

// alone says whether no more than one session is open in the process: the turn of another would end with it.
func (a *Process) alone() bool { return len(a.sessions.all()) <= 1 }
