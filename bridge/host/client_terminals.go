package host

import (
	"context"
	"errors"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// CreateTerminal is ACP v1 terminal/create: it asks, then starts the command and returns at once.
func (s *Service) CreateTerminal(ctx context.Context, p *acp.CreateTerminalRequest) (any, error) {
	var spec terminalproxy.Spec
	var release func()
	err := permission.AsShown(func() (err error) { spec, release, err = s.MayRun(ctx, p); return err })
	if err != nil {
		return nil, err
	}
	term, err := s.all.Runner.Create(ctx, spec)
	if err != nil {
		release()
		return nil, err
	}
	s.watchCommand(ctx, &command{term: term, title: titleOf(spec), acp: true, release: release})
	if ctx.Err() != nil { // cancelled meanwhile, perhaps too early for StopCommands to see it
		_ = term.Release(context.WithoutCancel(ctx)) // its end is all that is wanted
		return nil, ctx.Err()
	}
	return &acp.CreateTerminalResponse{TerminalID: acp.TerminalID(term.ID())}, nil
}

// MayRun asks about a command, and gets the workspace ready for it. release is to be called when what it changed has been
// compared, or it was not started.
func (s *Service) MayRun(ctx context.Context, p *acp.CreateTerminalRequest) (spec terminalproxy.Spec, release func(), err error) {
	spec = terminalproxy.Spec{Session: s.ID, Command: p.Command, Args: p.Args, SessionCwd: s.Cwd, Limit: p.OutputByteLimit}
	if p.Cwd != nil {
		spec.Cwd = *p.Cwd
	}
	if spec.Cwd == "" {
		spec.Cwd = s.Cwd
	}
	for _, e := range p.Env {
		spec.Env = append(spec.Env, terminalproxy.EnvVar{Name: e.Name, Value: e.Value})
	}
	spec = spec.Settled()
	argv, err := terminalproxy.Argv(spec)
	if err != nil {
		return spec, nil, &acp.Error{Code: acp.CodeInvalidParams, Message: err.Error()}
	}
	if s.all.EditorTerminals && namesTwice(spec.Env) {
		// The editor gets it as it came, and which of two values it takes is not known.
		return spec, nil, &acp.Error{Code: acp.CodeInvalidParams, Message: "env has a name twice; nothing was run"}
	}
	cmd := permission.Command{Tool: "terminal/create", Argv: argv, Cwd: spec.Cwd, Env: spec.Env}
	if s.all.EditorTerminals {
		cmd.Unknown = string(p.Extra) + string(p.Meta)
		for _, e := range p.Env {
			cmd.Unknown += string(e.Extra) + string(e.Meta)
		}
	}
	if !s.all.AgentsEditor { // where the agent speaks with its editor, what is not saved there is between the two
		cmd.Save = s.toSave()
	}
	g, err := s.permitCommand(ctx, cmd)
	if err != nil {
		return spec, nil, err
	}
	release, err = s.beforeCommand(ctx, strings.Join(argv, " "), cmd.Save, s.all.AgentsEditor, &g)
	return spec, release, err
}

// namesTwice says whether a variable is set twice.
func namesTwice(env []terminalproxy.EnvVar) bool {
	seen := map[string]bool{}
	for _, v := range env {
		if seen[v.Name] {
			return true
		}
		seen[v.Name] = true
	}
	return false
}

func titleOf(spec terminalproxy.Spec) string {
	argv, err := terminalproxy.Argv(spec)
	if err != nil {
		return spec.Command
	}
	return permission.CommandTitle(argv)
}

// permitCommand asks before a command runs, and notes for the end of the turn that one was allowed.
func (s *Service) permitCommand(ctx context.Context, cmd permission.Command) (permission.Grant, error) {
	g, err := s.Gate.PermitCommand(ctx, cmd)
	if err == nil {
		s.CommandAllowed()
	}
	return g, err
}

// Terminal finds a terminal of the agent's by the id that it has of it, nil if there is none.
func (s *Service) Terminal(id string) *terminalproxy.Terminal {
	t, _ := s.all.Runner.Get(s.ID, id) // an unknown one is refused when the request is answered
	return t
}

// TerminalOutput is ACP v1 terminal/output. known is the terminal that the request was about when it came, nil if there was none:
// claude-code-acp 0.16 releases a terminal that it still waits for, and the release must not overtake the wait.
func (s *Service) TerminalOutput(known *terminalproxy.Terminal, p *acp.TerminalOutputRequest) (any, error) {
	var out *acp.TerminalOutputResponse
	err := s.withTerminal(known, p.TerminalID, func(t *terminalproxy.Terminal) error {
		o := t.Output()
		out = &acp.TerminalOutputResponse{Output: o.Text, Truncated: o.Truncated}
		if o.Exit != nil {
			out.ExitStatus = &acp.TerminalExitStatus{ExitCode: o.Exit.Code, Signal: o.Exit.Signal}
		}
		return nil
	})
	return out, err
}

// WaitForExit is ACP v1 terminal/wait_for_exit. Its context is not ended by a cancel of the turn: the agent wants to know how its
// command ended.
func (s *Service) WaitForExit(ctx context.Context, known *terminalproxy.Terminal, p *acp.WaitForTerminalExitRequest) (any, error) {
	var exit terminalproxy.Exit
	err := s.withTerminal(known, p.TerminalID, func(t *terminalproxy.Terminal) (err error) {
		if exit, err = t.Wait(ctx); err == nil {
			s.settleEnded(ctx)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return &acp.WaitForTerminalExitResponse{ExitCode: exit.Code, Signal: exit.Signal}, nil
}

// KillTerminal is ACP v1 terminal/kill.
func (s *Service) KillTerminal(ctx context.Context, known *terminalproxy.Terminal, p *acp.KillTerminalRequest) (any, error) {
	return &acp.KillTerminalResponse{}, s.withTerminal(known, p.TerminalID, func(t *terminalproxy.Terminal) error { return t.Kill(ctx) })
}

// ReleaseTerminal is ACP v1 terminal/release.
func (s *Service) ReleaseTerminal(ctx context.Context, known *terminalproxy.Terminal, p *acp.ReleaseTerminalRequest) (any, error) {
	return &acp.ReleaseTerminalResponse{}, s.withTerminal(known, p.TerminalID, func(t *terminalproxy.Terminal) error { return t.Release(ctx) })
}

func (s *Service) withTerminal(t *terminalproxy.Terminal, id acp.TerminalID, f func(*terminalproxy.Terminal) error) error {
	if t == nil || t.ID() != string(id) {
		var err error
		if t, err = s.all.Runner.Get(s.ID, string(id)); err != nil {
			return err
		}
	}
	if err := f(t); err != nil && !errors.Is(err, terminalproxy.ErrReleased) {
		return err
	}
	return nil
}
