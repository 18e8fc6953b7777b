package agents

import (
	"context"
	"fmt"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// launchCopilot is the driver for Copilot CLI: with the editor tools in the place of its own, and with the servers that its
// sessions bring.
func (a *Process) launchCopilot(ctx context.Context, asked *copilot.Detector) error {
	p := a.pool
	version, err := asked.Detect(ctx, p.cfg.Command, p.cfg.Env)
	if err != nil {
		return err
	}
	a.Copilot = true
	a.Quirks, a.listed = copilot.QuirksOf(version), copilot.List(version)
	launch := copilot.Launch{Command: p.cfg.Command, Extra: a.group.set.servers}
	if err := a.openTools(&launch); err != nil {
		return err
	}
	if len(launch.Extra) > 0 { // others can read a command line, and there may be secrets in it
		var remove func()
		if launch.ConfigFile, remove, err = p.configFile(configFiles, launch.MCPConfig()); err != nil {
			a.dropTools()
			return err
		}
		defer remove() // it has read it when it has started
	}
	if err = a.run(ctx, launch.Argv()); err == nil {
		return nil
	}
	a.dropTools()
	switch {
	case ctx.Err() != nil:
	case p.cfg.Kind == KindAuto && copilot.IsCopilot(p.cfg.Command) && p.lacksACP(ctx, asked):
		return a.launchTranscript(ctx)
	default:
		p.acpFailed(a.group, err)
	}
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
