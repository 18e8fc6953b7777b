package agents

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// Process is one agent process, or what stands for one, and the sessions that it knows. It is the agent's [agent.Handler].
type Process struct {
	// What the driver has made; it does not change once the process is given to anybody.
	Agent   Agent
	Copilot bool // it is Copilot CLI, with what is particular to it
	PerTurn bool // its program runs for a turn and ends, and its editor tools come and go with it
	Quirks  copilot.Quirks
	Tools   *tools.Server // nil when the agent has no editor tools

	pool       *Pool
	group      *group
	attendant  Attendant
	listed     []copilot.Quirk
	leftovers  []func()         // what is to be taken away when the agent has ended
	injects    *agent.Quirks    // of an agent that gets the editor tools as a server of each session, nil otherwise
	withoutOwn bool             // its own tools were switched off when it was started
	gone       chan struct{}    // closed after the agent's last event
	notice     string           // what the user is to know of how the agent is run; guarded by pool.mu
	exit       *agent.ExitError // set before gone is closed

	ways       atomic.Pointer[agent.Quirks] // nil until it has said who it is
	heard      atomic.Int64                 // notifications
	asksClient atomic.Bool                  // it has read a file through the client
	spoke      atomic.Bool                  // a turn of it came to its end

	sessions directory
}

func newProcess(p *Pool, g *group) *Process {
	a := &Process{pool: p, group: g, gone: make(chan struct{}), sessions: newDirectory(p.cfg.Log)}
	a.attendant = p.cfg.Attend(a)
	return a
}

// Message implements [agent.Handler].
func (a *Process) Message(m *acp.Message) {
	a.heed(m)
	a.attendant.Message(m)
}

// Drained implements [agent.Handler].
func (a *Process) Drained() { a.attendant.Drained() }

// Exited implements [agent.Handler]. Prompts that were open end by themselves with an error.
func (a *Process) Exited(err *agent.ExitError) {
	a.exit = err
	a.pool.crashed(a.group, err) // before anybody can see that it is gone and start another one
	close(a.gone)
	for _, r := range a.sessions.all() {
		a.pool.later(r.AgentGone)
	}
	a.pool.gone(a, err)
}

// Gone is closed when the agent and its processes have ended, after the last that it sent.
func (a *Process) Gone() <-chan struct{} { return a.gone }

// IsGone says whether Gone is closed.
func (a *Process) IsGone() bool { return closed(a.gone) }

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// disconnected says that nothing can be said to the agent any more; IsGone follows when its processes have ended.
func (a *Process) disconnected() bool {
	if d, ok := a.Agent.(interface{ Disconnected() <-chan struct{} }); ok {
		return closed(d.Disconnected())
	}
	return a.IsGone()
}

// EndedBy says whether a call failed because the agent's process or connection ended. The failed call may be known before
// the end is, so that IsGone alone would take a crash for an answer.
func (a *Process) EndedBy(err error) bool {
	return errors.Is(err, acp.ErrClosed) || errors.As(err, new(*agent.ExitError)) || a.IsGone()
}

// LastWords is how the agent ended, one sentence.
func (a *Process) LastWords() string {
	if !a.IsGone() || a.exit == nil {
		return "the agent has ended"
	}
	return a.exit.Error()
}

// Name is what a user knows the agent by.
func (a *Process) Name() string {
	if a.Copilot {
		return "Copilot"
	}
	return a.Agent.Info().Name
}

// TakeNotice is what the user is to know of how the agent is run, the first time; "" after that.
func (a *Process) TakeNotice() (notice string) {
	a.pool.mu.Lock()
	defer a.pool.mu.Unlock()
	notice, a.notice = a.notice, ""
	return notice
}

// Succeeded notes that a turn came to its end: what failed before counts no more.
func (a *Process) Succeeded() {
	a.spoke.Store(true)
	a.pool.mu.Lock()
	defer a.pool.mu.Unlock()
	a.group.failures = 0
}

// Held says that the pool has the process. Otherwise it has ended, or its end is our doing.
func (a *Process) Held() bool {
	a.pool.mu.Lock()
	defer a.pool.mu.Unlock()
	return !a.pool.closing && a.group.process == a
}

// letGo takes the process out of the pool, with idle only if no session needs it and it was started for some; false if it
// was not in there any more.
func (a *Process) letGo(idle bool) (was bool) {
	a.pool.mu.Lock()
	defer a.pool.mu.Unlock()
	if a.group.process != a || idle && (a.group.set.key == "" || !a.unused()) {
		return false
	}
	a.group.process = nil
	return true
}

// Drop kills the agent with its processes; sessions come back with the next prompt.
func (a *Process) Drop(why string) {
	if a.letGo(false) {
		a.endNow(why)
	}
}

// Retire ends a process whose servers nobody needs any more.
func (a *Process) Retire() {
	if a.letGo(true) {
		a.pool.later(func() { a.close(a.pool.life) })
	}
}

func (a *Process) endNow(why string) {
	a.pool.cfg.Log.Warn().Str("why", why).Msg("agent is ended")
	a.close(a.pool.life)
}

// close ends the agent and its editor tools.
func (a *Process) close(ctx context.Context) error {
	err := a.Agent.Close(ctx)
	a.closeTools()
	return err
}

// clearUp takes away what was made for the agent's start. It is called once the agent has ended.
func (a *Process) clearUp() {
	for _, remove := range a.leftovers {
		remove()
	}
}

func (a *Process) closeTools() {
	a.clearUp()
	if a.Tools != nil {
		a.Tools.Close()
	}
}
