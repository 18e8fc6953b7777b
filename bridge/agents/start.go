package agents

import (
	"context"
	"errors"

	"github.com/copilot-bridge/copilot-bridge/acp/agent"
)

// UnavailableError says that no agent could be started. It was shown to the user.
type UnavailableError struct{ Err error }

func (e *UnavailableError) Error() string { return e.Err.Error() }
func (e *UnavailableError) Unwrap() error { return e.Err }

// start starts the process of a group, for which the caller has set starting.
func (p *Pool) start(ctx context.Context, g *group) (*Process, error) {
	p.cfg.Tell(Status{Starting, "starting the agent"})
	a, err := p.launch(ctx, g)
	p.mu.Lock()
	close(g.starting)
	g.starting = nil
	stopped := p.closing || a != nil && a.IsGone()
	var idle *Process
	if err == nil && !stopped {
		idle = p.took(g, a)
	}
	p.mu.Unlock()
	if idle != nil {
		p.later(func() { idle.close(p.life) })
	}
	if err == nil && stopped {
		a.close(ctx)
		err = errors.New("the agent ended as soon as it had started")
	}
	switch {
	case err == nil:
		p.cfg.Tell(Status{Ready, "ready"})
		p.cfg.Started(a)
		return a, nil
	case ctx.Err() != nil: // given up by the one who wanted it
		p.cfg.Tell(Status{Ready, "ready"})
		return nil, ctx.Err()
	default:
		p.cfg.Tell(Status{Failed, err.Error()})
		return nil, &UnavailableError{err}
	}
}

// took notes a process that has started. One that was started before it was known what servers the sessions bring, and has
// none, is to end; it is returned. The caller holds mu.
func (p *Pool) took(g *group, a *Process) (idle *Process) {
	g.process = a
	none := p.groupOf(serverSet{})
	if g == none || none.process == nil || !none.process.unused() {
		return nil
	}
	idle, none.process = none.process, nil
	return idle
}

// launch starts an agent: at once, or after a crash when a restart is due.
func (p *Pool) launch(ctx context.Context, g *group) (a *Process, err error) {
	p.mu.Lock()
	crash := g.crash
	p.mu.Unlock()
	try := func(ctx context.Context) error {
		a = newProcess(p, g)
		if err := a.launch(ctx); err != nil {
			return err
		}
		if a.IsGone() {
			return errors.New(a.LastWords())
		}
		return nil
	}
	if crash == nil {
		err = try(ctx)
		return a, err
	}
	if err = g.restarts.Restart(ctx, crash, try); err != nil {
		return a, err
	}
	p.mu.Lock()
	if g.crash == crash { // else it has crashed again meanwhile, which counts
		g.crash = nil
	}
	p.mu.Unlock()
	return a, nil
}

// crashed notes an end that nobody asked for: the next start is a restart, which waits and counts.
func (p *Pool) crashed(g *group, exit *agent.ExitError) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closing && !exit.Asked {
		g.crash = exit
	}
}

// gone lets go of an agent that ended. Its sessions are loaded into the next one when they are needed.
func (p *Pool) gone(a *Process, exit *agent.ExitError) {
	was := a.letGo(false)
	p.mu.Lock()
	closing := p.closing
	p.mu.Unlock()
	if closing || exit.Asked {
		return // the one who asked for it closes the rest
	}
	p.acpFailed(a.group, exit)
	p.later(a.closeTools)
	if was {
		p.cfg.Tell(Status{Gone, exit.Error() + "; it is started again with the next prompt"})
	}
}
