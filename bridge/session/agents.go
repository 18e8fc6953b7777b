package session

import (
	"context"
	"errors"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
)

// TellAgents shows the user how the agents are.
func (all *Set) TellAgents(s agents.Status) {
	ev := &StatusChanged{Kind: StatusOK, Message: s.Message}
	switch s.State {
	case agents.Ready:
	case agents.Starting:
		ev.Kind = StatusBusy
	case agents.Failed, agents.Gone:
		ev.Kind, ev.Gone, ev.Unstarted = StatusError, s.State == agents.Gone, s.State == agents.Failed
	}
	all.cfg.Out.Push(ev)
}

// connect is the agent process for the session, which may not know the session yet; see [Session.attach].
func (s *Session) connect(ctx context.Context) (*agents.Process, error) {
	a, err := s.all.cfg.Agents.For(ctx, s.servers)
	return a, unavailable(err)
}

// connect is an agent process for what belongs to no session.
func (all *Set) connect(ctx context.Context) (*agents.Process, error) {
	a, err := all.cfg.Agents.Any(ctx)
	return a, unavailable(err)
}

// unavailable is an error of the pool as a front is told of it.
func unavailable(err error) error {
	if errors.As(err, new(*agents.UnavailableError)) {
		return &Error{Code: CodeAgentUnavailable, Message: err.Error(), Retryable: true, Err: err}
	}
	return err
}

// Agent describes the agent, without starting it; ok is false while none runs.
func (all *Set) Agent() (info agents.Info, ok bool) { return all.cfg.Agents.Info() }

// Auth is whether the user is signed in with the agent, and the ways to sign in.
func (all *Set) Auth() (state string, methods []acp.AuthMethod) { return all.cfg.Agents.Auth() }

// ConnectAgent starts the agent if it does not run.
func (all *Set) ConnectAgent(ctx context.Context) error {
	_, err := all.connect(ctx)
	return err
}

// RestartAgent ends the agent and starts a new one; sessions are loaded into it when they are needed.
func (all *Set) RestartAgent(ctx context.Context) error {
	return unavailable(all.cfg.Agents.Restart(ctx))
}
