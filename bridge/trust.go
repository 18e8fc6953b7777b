package bridge

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/trust"
)

func (b *Bridge) trustConfig() trust.Config {
	return trust.Config{
		Dir: b.cfg.StateDir, Trials: b.cfg.Trials, Quiet: trust.Quiet, Trial: b.trialOf,
		Life: b.watching, Go: b.work.Go, Now: b.cfg.Now, Log: b.cfg.Log,
		Tell: func(message string) { b.out.Push(&StatusChanged{Kind: StatusError, Message: message}) },
	}
}

// trialOf is how a version of the agent is tried, nil where it cannot be.
func (b *Bridge) trialOf(v trust.Version) func(context.Context) (trust.Verdict, error) {
	if b.cfg.Start != nil || v.PerTurn || b.cfg.Kind == KindTranscript || len(b.cfg.Self) == 0 || !trust.CanTry(b.cfg.Command, b.cfg.Env, v.Quirks) {
		return nil
	}
	return trust.Trial{
		Agent: v.Agent, Command: b.cfg.Command, Env: copilot.AgentEnv(b.cfg.Env), Self: b.cfg.Self, Version: b.cfg.Version, Log: b.cfg.Log,
	}.Run
}

// SetTrials switches trials of new versions on or off; one that runs already goes on to its end.
func (b *Bridge) SetTrials(on bool) { b.trust.SetTrials(on) }

// version is the agent's, what a verdict is kept by.
func version(a *agents.Process) trust.Version {
	v := trust.Version{Quirks: a.Quirks, PerTurn: a.PerTurn}
	if a.Agent != nil {
		v.Agent = a.Agent.Info().Label()
	}
	return v
}

// proven says that the agent is known to ask before it changes or runs something.
func (b *Bridge) proven(a *agents.Process) bool { return b.trust.Proven(version(a)) }

// untrusted says that the session's agent was found not to ask when it should.
func (s *Session) untrusted() bool {
	a := s.snap.read().agent
	return a != nil && s.b.trust.Untrusted(version(a))
}
