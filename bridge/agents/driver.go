package agents

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
)

// IsCopilot says whether the agent is Copilot CLI, as far as its command line tells.
func (p *Pool) IsCopilot() bool {
	return p.cfg.Kind == KindCopilot || p.cfg.Start == nil && p.cfg.Kind != KindACP && copilot.IsCopilot(p.cfg.Command)
}

// launch starts the agent with the driver of its kind. It is called once, before the process is given to anybody; nothing
// runs if it fails.
func (a *Process) launch(ctx context.Context) error {
	switch p := a.pool; {
	case p.cfg.Start != nil:
		return a.launchInside(ctx)
	case p.byTranscript():
		return a.launchTranscript(ctx)
	case p.IsCopilot():
		return a.launchCopilot(ctx)
	default:
		return a.launchACP(ctx)
	}
}

// byTranscript says whether prompts go through `copilot -p` because the user said so, in the settings or when ACP had failed
// again and again. A program that has no other way is known by its failure, see launchCopilot.
func (p *Pool) byTranscript() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fallback || p.cfg.Kind == KindTranscript
}

// launchInside is the driver for an agent inside this process (demo, tests).
func (a *Process) launchInside(ctx context.Context) (err error) {
	if a.Agent, err = a.pool.cfg.Start(ctx, a); err != nil {
		return err
	}
	a.learn()
	return a.injectTools(ctx)
}

// launchACP is the driver for a program that speaks ACP and is nothing else that is known.
func (a *Process) launchACP(ctx context.Context) error {
	cfg := &a.pool.cfg
	var more []string
	known := configuredProgram(cfg.Command)
	if known != nil && a.hands() {
		var err error
		if more, err = known.prepare(a, cfg.Env, cfg.Tools); err != nil {
			cfg.Log.Warn().Err(err).Str("agent", known.program).Msg("the agent keeps its own tools")
			known = nil
		}
	}
	if err := a.run(ctx, cfg.Command, more...); err != nil {
		a.clearUp()
		return err
	}
	a.learn()
	a.withoutOwn = len(more) > 0 && known.name == a.Agent.Info().Name
	return a.injectTools(ctx)
}

// run starts a program that speaks ACP, with more in its environment, and counts its failures.
func (a *Process) run(ctx context.Context, command []string, more ...string) error {
	cfg := &a.pool.cfg
	started, err := agent.Start(ctx, agent.Config{
		Command: command, Env: append(copilot.AgentEnv(cfg.Env), more...), Dir: cfg.Dir, Guard: cfg.Guard,
		ClientInfo: clientInfo(cfg.Version), Capabilities: Capabilities(), Initialize: cfg.Hello, Log: cfg.Log, Tap: cfg.Tap, Handler: a,
	})
	if err != nil {
		return err
	}
	a.Agent = started
	return nil
}
