package bridge

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/trust"
)

// The agents as a front knows them; see package agents.
type (
	Agent     = agents.Agent
	Starter   = agents.Starter
	AgentKind = agents.Kind
	AgentGets = agents.Gets
	AgentInfo = agents.Info
)

// How to talk to the agent.
const (
	KindAuto       = agents.KindAuto
	KindCopilot    = agents.KindCopilot
	KindACP        = agents.KindACP
	KindTranscript = agents.KindTranscript
)

// Which agents get the editor tools.
const (
	GetsAuto   = agents.GetsAuto
	GetsEditor = agents.GetsEditor
	GetsOwn    = agents.GetsOwn
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
		Dir: b.agentDir(), RunDir: b.socketDir(), Self: cfg.Self, Guard: b.guard(), Tools: cfg.Tools, Gets: cfg.Gets,
		MaxTurns: cfg.MaxTurns, TokenLimit: cfg.TokenLimit, Tap: cfg.Tap, Now: cfg.Now,
		Attend:  func(a *agents.Process) agents.Attendant { return b.Set.Attend(a) },
		Tell:    func(s agents.Status) { b.Set.TellAgents(s) },
		Started: func(a *agents.Process) { b.Set.Started(a) },
		Offer:   b.offer, OfferTools: b.offerTools,
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

// trustConfig says how versions of the agent are tried.
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
	return b.agrees(ctx, q)
}

// offerTools asks the user whether an agent that nobody knows is to have the editor tools. It runs on the goroutine of a turn.
func (b *Bridge) offerTools(ctx context.Context, o agents.ToolsOffer) bool {
	id := b.newID("q")
	title := fmt.Sprintf("Give %s the editor's tools?", o.Agent)
	return b.agrees(ctx, &Question{
		ID: id, Title: title, ToolCall: &acp.ToolCallUpdate{ToolCallID: acp.ToolCallID(id), Title: &title},
		Reason: "It may read files from the disk, where it does not see your unsaved text in " + strings.Join(o.Unsaved, ", "),
		Notes:  []string{"it is started again with them, beside its own", "the setting agent.tools always answers this: \"editor\" or \"own\""},
		Options: []acp.PermissionOption{
			{OptionID: permission.OptReject, Name: "Leave it as it is", Kind: acp.PermissionOptionKindRejectOnce},
			{OptionID: permission.OptOnce, Name: "Give it the tools", Kind: acp.PermissionOptionKindAllowOnce},
		},
	})
}

// agrees asks a question that is no session's.
func (b *Bridge) agrees(ctx context.Context, q *Question) bool {
	q.Present()
	answer, err := b.cfg.Editor.Ask(ctx, q)
	return err == nil && answer.OptionID == permission.OptOnce
}
