package session

import (
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/trust"
)

// version is the agent's, what a verdict is kept by.
func version(a *agents.Process) trust.Version {
	v := trust.Version{Quirks: a.Quirks, PerTurn: a.PerTurn}
	if a.Agent != nil {
		v.Agent = a.Agent.Info().Label()
	}
	return v
}

// proven says that the agent is known to ask before it changes or runs something.
func (all *Set) proven(a *agents.Process) bool { return all.cfg.Trust.Proven(version(a)) }

// untrusted says that the session's agent was found not to ask when it should.
func (s *Session) untrusted() bool {
	a := s.snap.read().agent
	return a != nil && s.all.cfg.Trust.Untrusted(version(a))
}

// Started notes that an agent process has started, whose version may be tried.
func (all *Set) Started(a *agents.Process) { all.cfg.Trust.Started(version(a), a.Gone()) }

// SetTrials switches trials of new versions on or off; one that runs already goes on to its end.
func (all *Set) SetTrials(on bool) { all.cfg.Trust.SetTrials(on) }
