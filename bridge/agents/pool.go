package agents

import (
	"context"
	"errors"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
)

// ErrClosed says that no agent is started any more.
var ErrClosed = errors.New("the bridge is closing")

// Pool is the agent processes of one bridge.
type Pool struct {
	// Clock is that of the pauses before restarts, nil for the real one. It is set before the first start.
	Clock agent.Clock

	cfg  Config
	life context.Context // ends with Wait
	end  context.CancelFunc
	work sync.WaitGroup // grown with mu held, and not once over is set

	mu          sync.Mutex
	groups      map[string]*group // by serverSet.key
	closing     bool              // nothing is started any more
	over        bool              // Wait waits for the work there is
	offered     bool              // the user was asked whether to do without the ACP server
	toolsAsked  bool              // the user was asked whether the agent is to have the editor tools
	toolsTaken  bool              // and said yes
	fallback    bool              // and said yes: prompts go through `copilot -p`
	auth        string
	authMethods []acp.AuthMethod
}

// group is what is known of the processes with one set of servers. All but the set is guarded by Pool.mu.
type group struct {
	set      serverSet
	process  *Process      // the one that runs; nil if none does or its end is our doing
	starting chan struct{} // closed when the start under way is over; nil if there is none
	restarts agent.Supervisor
	crash    error // how the last process ended, nil if it was asked to
	failures int   // of the ACP server since a turn last came to its end
}

// New makes a pool. It starts no agent.
func New(cfg Config) *Pool {
	p := &Pool{cfg: cfg, groups: map[string]*group{}, auth: AuthUnknown}
	p.life, p.end = context.WithCancel(context.Background())
	p.later(p.sweepConfigs)
	return p
}

// groupOf is the group of a set. The caller holds mu.
func (p *Pool) groupOf(set serverSet) *group {
	g := p.groups[set.key]
	if g == nil {
		g = &group{set: set, restarts: agent.Supervisor{Clock: p.Clock}}
		p.groups[set.key] = g
	}
	return g
}

// For is the process for a session with these servers, started if none runs. Errors are ErrClosed, ctx's, and
// *UnavailableError.
func (p *Pool) For(ctx context.Context, servers []acp.MCPServer) (*Process, error) {
	return p.forSet(ctx, p.setOf(servers))
}

// Any is a process for what belongs to no session: any that runs, else one without servers. Its errors are those of For.
func (p *Pool) Any(ctx context.Context) (*Process, error) {
	if a := p.Running(); a != nil {
		return a, nil
	}
	return p.forSet(ctx, serverSet{})
}

func (p *Pool) forSet(ctx context.Context, set serverSet) (*Process, error) {
	for {
		p.mu.Lock()
		if p.closing {
			p.mu.Unlock()
			return nil, ErrClosed
		}
		g := p.groupOf(set)
		if g.process != nil && g.process.IsGone() {
			g.process = nil // its end is being told just now
		}
		a, wait := g.process, g.starting
		if a == nil && wait == nil {
			g.starting = make(chan struct{})
			p.mu.Unlock()
			return p.start(ctx, g)
		}
		p.mu.Unlock()
		if a != nil {
			if !a.disconnected() {
				return a, nil
			}
			wait = a.gone // its processes are being ended
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Running is a process that runs, nil if none does: the one without servers if it can be.
func (p *Pool) Running() *Process {
	p.mu.Lock()
	defer p.mu.Unlock()
	var found *Process
	for key, g := range p.groups {
		if a := g.process; a != nil && !a.disconnected() && (found == nil || key == "") {
			found = a
		}
	}
	return found
}

// Info describes the agent, without starting it; ok is false while none runs.
func (p *Pool) Info() (info Info, ok bool) {
	a := p.Running()
	if a == nil {
		return Info{}, false
	}
	i := a.Agent.Info()
	return Info{Name: i.Name, Version: i.Version, PID: i.PID, Capabilities: i.Capabilities, Quirks: a.listed, AuthMethods: i.AuthMethods}, true
}

// PerTurn says whether the agent's program runs for a turn and ends, as far as its settings or its process tell.
func (p *Pool) PerTurn() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	idle := p.groupOf(serverSet{}).process
	return p.cfg.Kind == KindTranscript || p.fallback || idle != nil && idle.PerTurn
}

// Restart ends the agents and starts one anew, over ACP again if it can be, as if nothing had failed before.
func (p *Pool) Restart(ctx context.Context) error {
	p.Drop("asked to")
	p.mu.Lock()
	p.offered, p.fallback = false, false
	p.forgetCrashes()
	p.mu.Unlock()
	_, err := p.Any(ctx)
	return err
}

// forgetCrashes has the next start of each group be no restart. The caller holds mu.
func (p *Pool) forgetCrashes() {
	for _, g := range p.groups {
		g.crash, g.failures = nil, 0
		g.restarts.Reset()
	}
}

// take empties the groups. The caller holds mu.
func (p *Pool) take() (all []*Process) {
	for _, g := range p.groups {
		if g.process != nil {
			all = append(all, g.process)
			g.process = nil
		}
	}
	return all
}

// Drop ends all agents with their processes; each is started again when it is needed.
func (p *Pool) Drop(why string) {
	p.mu.Lock()
	all := p.take()
	p.mu.Unlock()
	for _, a := range all {
		a.endNow(why)
	}
}

// Shut has the pool start no agent any more and take the end of one for wanted.
func (p *Pool) Shut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closing = true
}

// Close ends all agents at the same time, within 4 s, after Shut.
func (p *Pool) Close(ctx context.Context) error {
	p.mu.Lock()
	all := p.take()
	p.mu.Unlock()
	errs := make([]error, len(all))
	var ends sync.WaitGroup
	for i, a := range all {
		ends.Go(func() { errs[i] = a.close(ctx) })
	}
	ends.Wait()
	return errors.Join(errs...)
}

// Wait waits for what the pool does beside, after Close.
func (p *Pool) Wait() {
	p.end()
	p.mu.Lock()
	p.over = true
	p.mu.Unlock()
	p.work.Wait()
}

// later runs what nobody waits for, such as what a crash leaves to do: as a part of the pool's work, or at once if Wait waits
// for the work there is.
func (p *Pool) later(do func()) {
	p.mu.Lock()
	over := p.over
	if !over {
		p.work.Go(do)
	}
	p.mu.Unlock()
	if over {
		do()
	}
}
