package bridge

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

func (b *Bridge) start(ctx context.Context, set serverSet) (*link, error) {
	b.out.push(&StatusChanged{Kind: StatusBusy, Message: "starting the agent"})
	l, err := b.launch(ctx, set)
	b.mu.Lock()
	close(b.starting[set.key])
	delete(b.starting, set.key)
	stopped := b.closing || l != nil && l.isGone()
	if err == nil && !stopped {
		b.took(set, l)
	}
	b.mu.Unlock()
	if err == nil && stopped {
		l.close(ctx)
		err = errors.New("the agent ended as soon as it had started")
	}
	if err != nil && ctx.Err() != nil {
		b.out.push(&StatusChanged{Kind: StatusOK, Message: "ready"})
		return nil, ctx.Err() // given up with whoever wanted it
	}
	if err != nil {
		err = &Error{Code: CodeAgentUnavailable, Message: err.Error(), Retryable: true, Err: err}
		b.out.push(&StatusChanged{Kind: StatusError, Message: err.Error()})
		return nil, err
	}
	b.out.push(&StatusChanged{Kind: StatusOK, Message: "ready"})
	b.trust.Started(l.version(), l.gone)
	return l, nil
}

// launch starts an agent: at once, or after a crash when a restart is due.
func (b *Bridge) launch(ctx context.Context, set serverSet) (l *link, err error) {
	b.mu.Lock()
	r := b.restartsOf(set.key)
	crash := r.crash
	b.mu.Unlock()
	try := func(ctx context.Context) error {
		l = newLink(b)
		l.set, l.servers = set.key, set.servers
		if err := l.launch(ctx); err != nil {
			return err
		}
		if l.isGone() {
			return errors.New(l.lastWords())
		}
		return nil
	}
	if crash == nil {
		err = try(ctx)
		return l, err
	}
	if err := r.Restart(ctx, crash, try); err != nil {
		return l, err
	}
	b.mu.Lock()
	if r.crash == crash { // else it has crashed again meanwhile, which counts
		r.crash = nil
	}
	b.mu.Unlock()
	return l, nil
}

// ended says whether a call failed because the agent's process or connection ended. The failed call may be known before
// the end is, so that isGone alone would take a crash for an answer.
func (l *link) ended(err error) bool {
	return errors.Is(err, acp.ErrClosed) || errors.As(err, new(*agent.ExitError)) || l.isGone()
}

func (l *link) isGone() bool {
	select {
	case <-l.gone:
		return true
	default:
		return false
	}
}

// disconnected says that nothing can be said to the agent any more; isGone follows when its processes have ended.
func (l *link) disconnected() bool {
	a, ok := l.agent.(interface{ Disconnected() <-chan struct{} })
	if !ok {
		return l.isGone()
	}
	select {
	case <-a.Disconnected():
		return true
	default:
		return false
	}
}

// launch starts the agent, with the editor tools in front of it if it is to have them.
func (l *link) launch(ctx context.Context) (err error) {
	cfg := &l.b.cfg
	if cfg.Start != nil {
		if l.agent, err = cfg.Start(ctx, l); err != nil {
			return err
		}
		return l.handed(ctx)
	}
	command := cfg.Command
	if l.b.byTranscript(ctx) {
		return l.launchTranscript(ctx)
	}
	if cfg.Kind == KindCopilot || cfg.Kind != KindACP && copilot.IsCopilot(command) {
		var done func()
		if command, done, err = l.launchCopilot(ctx, command); err != nil {
			return err
		}
		defer done()
	}
	a, err := agent.Start(ctx, agent.Config{
		Command: command, Env: copilot.AgentEnv(cfg.Env), Dir: l.b.agentDir(), Guard: l.b.guard(),
		ClientInfo: clientInfo(cfg.Version), Capabilities: Capabilities(), Initialize: cfg.Hello, Log: cfg.Log, Tap: cfg.Tap, Handler: l,
	})
	if err != nil {
		l.dropTools()
		if cfg.Kind == KindAuto && copilot.IsCopilot(cfg.Command) && ctx.Err() == nil && l.b.lacksACP(ctx) {
			return l.launchTranscript(ctx)
		}
		if ctx.Err() == nil {
			l.b.acpFailed(err)
		}
		return err
	}
	l.agent = a
	if l.copilot {
		return nil
	}
	return l.handed(ctx)
}

// handed hands an agent that needs them the editor tools; without them it is not let loose on the files.
func (l *link) handed(ctx context.Context) error {
	err := l.handTools()
	if err != nil {
		_ = l.agent.Close(ctx) // why it is ended is what matters
	}
	return err
}

// launchCopilot opens the editor tools and returns the command line that makes Copilot use them, and the servers that its
// sessions bring. done is to be called when Copilot has started.
func (l *link) launchCopilot(ctx context.Context, command []string) (argv []string, done func(), err error) {
	cfg := &l.b.cfg
	version, err := copilot.Detect(ctx, command[0], cfg.Env)
	if err != nil {
		return nil, nil, err
	}
	l.copilot = true
	l.quirks, l.listed = copilot.QuirksOf(version), copilot.List(version)
	launch, done := copilot.Launch{Command: command, Extra: l.servers}, func() {}
	if set := cfg.Tools; len(cfg.Self) > 0 && (set.Files || set.Shell || set.Diagnostics) {
		if l.tools, err = tools.Listen(l.b.socketDir(), l, set, cfg.Log); err != nil {
			return nil, nil, fmt.Errorf("open the editor tools: %w", err)
		}
		launch.Self, launch.Socket = cfg.Self, l.tools.Socket()
		launch.Tools = copilot.ToolSet{Files: set.Files, Shell: set.Shell, Diagnostics: set.Diagnostics}
	}
	if len(l.servers) > 0 { // others can read a command line, and there may be secrets in it
		if launch.ConfigFile, done, err = l.b.configFile(launch.MCPConfig()); err != nil {
			l.dropTools()
			return nil, nil, err
		}
	}
	return launch.Argv(), done, nil
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

func clientInfo(version string) acp.Implementation {
	title := "Copilot Bridge"
	return acp.Implementation{Name: "copilot-bridge", Title: &title, Version: version}
}

// Capabilities are what the bridge does for an agent (ACP v1 ClientCapabilities).
func Capabilities() acp.ClientCapabilities {
	return acp.ClientCapabilities{
		FS:       acp.FileSystemCapabilities{ReadTextFile: true, WriteTextFile: true},
		Terminal: true,
		Elicitation: &acp.ElicitationCapabilities{
			Form: &acp.ElicitationFormCapabilities{}, URL: &acp.ElicitationURLCapabilities{},
		},
		Session: &acp.ClientSessionCapabilities{
			ConfigOptions: &acp.SessionConfigOptionsCapabilities{Boolean: &acp.BooleanConfigOptionCapabilities{}},
			Notices:       &acp.NoticeCapabilities{}, Compaction: &acp.CompactionCapabilities{},
		},
	}
}

// restarts are what is known of the crashes of the agents with one set of servers. Sets start, crash and are started
// again independently of each other.
type restarts struct {
	agent.Supervisor
	crash error // how the last one ended, nil if it was asked to; guarded by Bridge.mu
}

// restartsOf are those of a set. The caller holds mu.
func (b *Bridge) restartsOf(set string) *restarts {
	r := b.restarts[set]
	if r == nil {
		r = &restarts{Supervisor: agent.Supervisor{Clock: b.clock}}
		b.restarts[set] = r
	}
	return r
}

// crashed notes an end that nobody asked for: the next start is a restart, which waits and counts.
func (b *Bridge) crashed(l *link, exit *agent.ExitError) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closing && !exit.Asked {
		b.restartsOf(l.set).crash = exit
	}
}

// agentGone lets go of an agent that ended. Its sessions are loaded into the next one when they are needed.
func (b *Bridge) agentGone(l *link, exit *agent.ExitError) {
	b.mu.Lock()
	was := b.letGo(l)
	closing := b.closing
	b.mu.Unlock()
	if !closing && !exit.Asked {
		b.acpFailed(exit)
	}
	if closing || exit.Asked {
		return // whoever asked for it closes the rest
	}
	if l.tools != nil {
		b.afterwards(func() { l.tools.Close() })
	}
	if was {
		b.out.push(&StatusChanged{Kind: StatusError, Gone: true, Message: exit.Error() + "; it is started again with the next prompt"})
	}
}

// dropAgent kills the agent, all its processes; sessions come back with the next prompt.
func (b *Bridge) dropAgent(why string) {
	b.mu.Lock()
	all := slices.Collect(maps.Values(b.links))
	clear(b.links)
	b.mu.Unlock()
	for _, l := range all {
		b.cfg.Log.Warn().Str("why", why).Msg("agent is ended")
		l.close(b.life)
	}
}

// dropLink kills one agent process.
func (b *Bridge) dropLink(l *link, why string) {
	b.mu.Lock()
	was := l != nil && b.letGo(l)
	b.mu.Unlock()
	if was {
		b.cfg.Log.Warn().Str("why", why).Msg("agent is ended")
		l.close(b.life)
	}
}
