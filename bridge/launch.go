package bridge

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// connect is the running agent, started if there is none. Calls while a start is under way wait for it.
func (b *Bridge) connect(ctx context.Context) (*link, error) {
	for {
		b.mu.Lock()
		if b.closing {
			b.mu.Unlock()
			return nil, errClosed
		}
		if b.cur != nil && b.cur.isGone() {
			b.cur = nil // its end is being told just now
		}
		if b.cur != nil {
			defer b.mu.Unlock()
			return b.cur, nil
		}
		wait := b.starting
		if wait == nil {
			b.starting = make(chan struct{})
			b.mu.Unlock()
			return b.start(ctx)
		}
		b.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (b *Bridge) start(ctx context.Context) (*link, error) {
	b.out.push(&StatusChanged{Kind: StatusBusy, Message: "starting the agent"})
	l, err := b.launch(ctx)
	b.mu.Lock()
	close(b.starting)
	b.starting = nil
	stopped := b.closing || l != nil && l.isGone()
	if err == nil && !stopped {
		b.cur = l
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
	b.tryAgent(l)
	return l, nil
}

// launch starts an agent: at once, or after a crash when a restart is due.
func (b *Bridge) launch(ctx context.Context) (l *link, err error) {
	b.mu.Lock()
	crash := b.crash
	b.mu.Unlock()
	try := func(ctx context.Context) error {
		l = newLink(b)
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
	if err := b.restart.Restart(ctx, crash, try); err != nil {
		return l, err
	}
	b.mu.Lock()
	b.crash = nil
	b.mu.Unlock()
	return l, nil
}

func (l *link) isGone() bool {
	select {
	case <-l.gone:
		return true
	default:
		return false
	}
}

// launch starts the agent, with the editor tools in front of it if it is to have them.
func (l *link) launch(ctx context.Context) (err error) {
	cfg := &l.b.cfg
	if cfg.Start != nil {
		l.agent, err = cfg.Start(ctx, l)
		return err
	}
	command := cfg.Command
	if l.b.byTranscript(ctx) {
		return l.launchTranscript(ctx)
	}
	if cfg.Kind == KindCopilot || cfg.Kind != KindACP && copilot.IsCopilot(command) {
		if command, err = l.launchCopilot(ctx, command); err != nil {
			return err
		}
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
	return nil
}

// launchCopilot opens the editor tools and returns the command line that makes Copilot use them.
func (l *link) launchCopilot(ctx context.Context, command []string) ([]string, error) {
	cfg := &l.b.cfg
	version, err := copilot.Detect(ctx, command[0], cfg.Env)
	if err != nil {
		return nil, err
	}
	l.quirks, l.listed = copilot.QuirksOf(version), copilot.List(version)
	launch := copilot.Launch{Command: command}
	if set := cfg.Tools; len(cfg.Self) > 0 && (set.Files || set.Shell || set.Diagnostics) {
		if l.tools, err = tools.Listen(l.b.socketDir(), l, set, cfg.Log); err != nil {
			return nil, fmt.Errorf("open the editor tools: %w", err)
		}
		launch.Self, launch.Socket = cfg.Self, l.tools.Socket()
		launch.Tools = copilot.ToolSet{Files: set.Files, Shell: set.Shell, Diagnostics: set.Diagnostics}
	}
	return launch.Argv(), nil
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

// agentGone lets go of an agent that ended. Its sessions are loaded into the next one when they are needed.
func (b *Bridge) agentGone(l *link, exit *agent.ExitError) {
	b.mu.Lock()
	was := b.cur == l
	if was {
		b.cur = nil
	}
	closing := b.closing
	if !closing && !exit.Asked {
		b.crash = exit
	}
	b.mu.Unlock()
	if !closing && !exit.Asked {
		b.acpFailed(exit)
	}
	if closing || exit.Asked {
		return // whoever asked for it closes the rest
	}
	if l.tools != nil {
		b.work.Go(func() { l.tools.Close() })
	}
	if was {
		b.out.push(&StatusChanged{Kind: StatusError, Message: exit.Error() + "; it is started again with the next prompt"})
	}
}

// dropAgent kills the agent; sessions come back with the next prompt.
func (b *Bridge) dropAgent(why string) {
	b.mu.Lock()
	l := b.cur
	b.cur = nil
	b.mu.Unlock()
	if l == nil {
		return
	}
	b.cfg.Log.Warn().Str("why", why).Msg("agent is ended")
	l.close(b.life)
}
