package agents

import (
	"context"
	"fmt"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// launchCopilot is the driver for Copilot CLI: with the editor tools in the place of its own, and with the servers that its
// sessions bring. It says itself which version it is; to ask it first would make every start half as long again.
func (a *Process) launchCopilot(ctx context.Context) error {
	p := a.pool
	a.Copilot = true
	launch := copilot.Launch{Command: p.cfg.Command, Extra: a.group.set.servers}
	if err := a.openTools(&launch); err != nil {
		return err
	}
	if len(launch.Extra) > 0 { // others can read a command line, and there may be secrets in it
		var remove func()
		var err error
		if launch.ConfigFile, remove, err = p.configFile(configFiles, launch.MCPConfig()); err != nil {
			a.dropTools()
			return err
		}
		defer remove() // it has read it when it has started
	}
	if err := a.run(ctx, launch.Argv()); err != nil {
		a.dropTools()
		return a.notStarted(ctx, err)
	}
	version, ok := copilot.ParseVersion(a.Agent.Info().Version)
	if !ok {
		var err error
		if version, err = new(copilot.Detector).Detect(ctx, p.cfg.Command, p.cfg.Env); err != nil {
			_ = a.Agent.Close(ctx) // why it is ended is what matters
			a.dropTools()
			return err
		}
	}
	a.Quirks, a.listed = copilot.QuirksOf(version), copilot.List(version)
	return nil
}

// notStarted finds out why a program did not start as Copilot's ACP server. One that has none is called once a turn, where
// nothing else was chosen.
func (a *Process) notStarted(ctx context.Context, err error) error {
	p := a.pool
	if ctx.Err() != nil {
		return err
	}
	var asked copilot.Detector
	if _, wrong := asked.Detect(ctx, p.cfg.Command, p.cfg.Env); wrong != nil {
		return wrong
	}
	if p.cfg.Kind != KindCopilot && copilot.IsCopilot(p.cfg.Command) {
		if f, e := asked.Features(ctx, p.cfg.Command, p.cfg.Env); e == nil && !f.ACP && f.Print {
			a.Copilot = false
			return a.launchTranscript(ctx)
		}
	}
	p.acpFailed(a.group, err)
	return err
}

// openTools opens the editor tools, if the agent is to have any, and has the command line name them.
func (a *Process) openTools(launch *copilot.Launch) (err error) {
	cfg := &a.pool.cfg
	set := cfg.Tools
	if !a.hands() {
		return nil
	}
	if a.Tools, err = a.listen(set); err != nil {
		return err
	}
	launch.Self, launch.Socket = cfg.Self, a.Tools.Socket()
	launch.Tools = copilot.ToolSet{Files: set.Files, Shell: set.Shell, Diagnostics: set.Diagnostics || set.Language != 0 || set.Ask}
	return nil
}

func (a *Process) listen(set tools.ToolSet) (*tools.Server, error) {
	server, err := tools.Listen(a.pool.cfg.RunDir, a.attendant, set, a.pool.cfg.Log)
	if err != nil {
		return nil, fmt.Errorf("open the editor tools: %w", err)
	}
	return server, nil
}

// dropTools closes the editor tools of an agent that goes without them, or not at all.
func (a *Process) dropTools() {
	a.closeTools()
	a.Tools = nil
}
