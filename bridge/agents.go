package bridge

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
)

// The agents as a front knows them; see package agents.
type (
	Agent     = agents.Agent
	Starter   = agents.Starter
	AgentKind = agents.Kind
	AgentInfo = agents.Info
)

// How to talk to the agent.
const (
	KindAuto       = agents.KindAuto
	KindCopilot    = agents.KindCopilot
	KindACP        = agents.KindACP
	KindTranscript = agents.KindTranscript
)

// The states of sign-in.
const (
	AuthUnknown   = agents.AuthUnknown
	AuthSignedIn  = agents.AuthSignedIn
	AuthSignedOut = agents.AuthSignedOut
)

// Capabilities are what the bridge does for an agent (ACP v1 ClientCapabilities).
func Capabilities() acp.ClientCapabilities { return agents.Capabilities() }

func (b *Bridge) agentsConfig() agents.Config {
	cfg := &b.cfg
	return agents.Config{
		Log: cfg.Log, Version: cfg.Version, Hello: cfg.Hello, Command: cfg.Command, Env: cfg.Env, Kind: cfg.Kind, Start: cfg.Start,
		Dir: b.agentDir(), RunDir: b.socketDir(), Self: cfg.Self, Guard: b.guard(), Tools: cfg.Tools,
		MaxTurns: cfg.MaxTurns, TokenLimit: cfg.TokenLimit, Tap: cfg.Tap, Now: cfg.Now,
		Attend:  func(a *agents.Process) agents.Attendant { return &link{Process: a, b: b} },
		Tell:    b.tellAgents,
		Started: func(a *agents.Process) { b.trust.Started(version(a), a.Gone()) },
		Offer:   b.offer,
	}
}

// agentDir is where the agent process runs; sessions name their own folders.
func (b *Bridge) agentDir() string {
	if len(b.cfg.Folders) > 0 {
		return b.cfg.Folders[0]
	}
	return ""
}

func (b *Bridge) socketDir() string {
	if b.cfg.StateDir == "" {
		return ""
	}
	return filepath.Join(b.cfg.StateDir, "run")
}

// tellAgents shows the user how the agents are.
func (b *Bridge) tellAgents(s agents.Status) {
	ev := &StatusChanged{Kind: StatusOK, Message: s.Message}
	switch s.State {
	case agents.Ready:
	case agents.Starting:
		ev.Kind = StatusBusy
	case agents.Failed:
		ev.Kind = StatusError
	case agents.Gone:
		ev.Kind, ev.Gone = StatusError, true
	}
	b.out.Push(ev)
}

// offer asks the user whether prompts are to go through `copilot -p` from now on. It runs on a goroutine of the pool.
func (b *Bridge) offer(ctx context.Context, o agents.Offer) bool {
	id := b.newID("q")
	title := fmt.Sprintf("Use `%s -p`, a call for each prompt, instead of its ACP server, which keeps failing?", o.Program)
	q := &Question{
		ID: id, Title: title, Reason: o.Cause.Error(), ToolCall: &acp.ToolCallUpdate{ToolCallID: acp.ToolCallID(id), Title: &title},
		Options: []acp.PermissionOption{
			{OptionID: permission.OptReject, Name: "Keep trying", Kind: acp.PermissionOptionKindRejectOnce},
			{OptionID: permission.OptOnce, Name: "Use " + o.Program + " -p", Kind: acp.PermissionOptionKindAllowOnce},
		},
	}
	if !o.CanAsk {
		q.Notes = append(q.Notes, "it refuses what would need a permission")
	}
	q.Notes = append(q.Notes, "restarting the agent goes back to ACP")
	q.Present()
	answer, err := b.cfg.Editor.Ask(ctx, q)
	return err == nil && answer.OptionID == permission.OptOnce
}

// connect is the agent process for the session, which may not know the session yet; see [Session.attach].
func (s *Session) connect(ctx context.Context) (*agents.Process, error) {
	a, err := s.b.agents.For(ctx, s.servers)
	return a, unavailable(err)
}

// connect is an agent process for what belongs to no session.
func (b *Bridge) connect(ctx context.Context) (*agents.Process, error) {
	a, err := b.agents.Any(ctx)
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
func (b *Bridge) Agent() (info AgentInfo, ok bool) { return b.agents.Info() }

// Auth is whether the user is signed in with the agent, and the ways to sign in.
func (b *Bridge) Auth() (state string, methods []acp.AuthMethod) { return b.agents.Auth() }

// ConnectAgent starts the agent if it does not run.
func (b *Bridge) ConnectAgent(ctx context.Context) error {
	_, err := b.connect(ctx)
	return err
}

// RestartAgent ends the agent and starts a new one; sessions are loaded into it when they are needed.
func (b *Bridge) RestartAgent(ctx context.Context) error { return unavailable(b.agents.Restart(ctx)) }
