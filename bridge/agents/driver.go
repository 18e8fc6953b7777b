package agents

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
)

// firstACP is the first release of Copilot CLI of which it is certain that it has --acp; older and unknown ones are
// asked, which takes 0.3 s.
var firstACP = copilot.Version{Major: 1}

// IsCopilot says whether the agent is Copilot CLI, as far as its command line tells.
func (p *Pool) IsCopilot() bool {
	return p.cfg.Kind == KindCopilot || p.cfg.Start == nil && p.cfg.Kind != KindACP && copilot.IsCopilot(p.cfg.Command)
}

// launch starts the agent with the driver of its kind. It is called once, before the process is given to anybody; nothing
// runs if it fails.
func (a *Process) launch(ctx context.Context) error {
	var asked copilot.Detector // a new one each time: an update may leave the time and the size of what starts it as they were
	switch p := a.pool; {
	case p.cfg.Start != nil:
		return a.launchInside(ctx)
	case p.byTranscript(ctx, &asked):
		return a.launchTranscript(ctx)
	case p.IsCopilot():
		return a.launchCopilot(ctx, &asked)
	default:
		return a.launchACP(ctx)
	}
}

// byTranscript says whether prompts go through `copilot -p`: because the user said so, in the settings or when ACP had
// failed again and again, or because the program has no other way.
func (p *Pool) byTranscript(ctx context.Context, asked *copilot.Detector) bool {
	p.mu.Lock()
	chosen := p.fallback
	p.mu.Unlock()
	switch {
	case chosen, p.cfg.Kind == KindTranscript:
		return true
	case p.cfg.Kind != KindAuto && p.cfg.Kind != "", !copilot.IsCopilot(p.cfg.Command):
		return false
	}
	v, err := asked.Detect(ctx, p.cfg.Command, p.cfg.Env)
	if err != nil || v.Known() && v.Compare(firstACP) >= 0 {
		return false // what is wrong is told when it is started
	}
	return p.lacksACP(ctx, asked)
}

// lacksACP asks the program whether `-p` is all it has.
func (p *Pool) lacksACP(ctx context.Context, asked *copilot.Detector) bool {
	f, err := asked.Features(ctx, p.cfg.Command, p.cfg.Env)
	return err == nil && !f.ACP && f.Print
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
