package bridge

import (
	"context"
	"errors"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// createTerminal is ACP v1 terminal/create: it asks, then starts the command and returns at once.
func (s *Session) createTerminal(ctx context.Context, p *acp.CreateTerminalRequest) (any, error) {
	var spec terminalproxy.Spec
	var release func()
	err := permission.AsShown(func() (err error) { spec, release, err = s.mayRun(ctx, p); return err })
	if err != nil {
		return nil, err
	}
	term, err := s.b.runner.Create(ctx, spec)
	if err != nil {
		release()
		return nil, err
	}
	s.watchCommand(ctx, &command{term: term, title: titleOf(spec), acp: true, release: release})
	if ctx.Err() != nil { // cancelled meanwhile, perhaps too early for stopCommands to see it
		_ = term.Release(context.WithoutCancel(ctx)) // its end is all that is wanted
		return nil, ctx.Err()
	}
	return &acp.CreateTerminalResponse{TerminalID: acp.TerminalID(term.ID())}, nil
}

// mayRun asks about a command, and gets the workspace ready for it. release is to be called when what it changed has been
// compared, or it was not started.
func (s *Session) mayRun(ctx context.Context, p *acp.CreateTerminalRequest) (spec terminalproxy.Spec, release func(), err error) {
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
	if s.b.cfg.Terminals != nil && namesTwice(spec.Env) {
		// The editor gets it as it came, and which of two values it takes is not known.
		return spec, nil, &acp.Error{Code: acp.CodeInvalidParams, Message: "env has a name twice; nothing was run"}
	}
	cmd := permission.Command{Tool: "terminal/create", Argv: argv, Cwd: spec.Cwd, Env: spec.Env}
	if s.b.cfg.Terminals != nil {
		cmd.Unknown = string(p.Extra) + string(p.Meta)
		for _, e := range p.Env {
			cmd.Unknown += string(e.Extra) + string(e.Meta)
		}
	}
	if err := s.permitCommand(ctx, cmd); err != nil {
		return spec, nil, err
	}
	ready := s.beforeCommand
	if s.b.speaksACP() { // the agent speaks with its editor: what is not saved there is between the two
		ready = s.lookBefore
	}
	release, err = ready(ctx, strings.Join(argv, " "))
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
func (s *Session) permitCommand(ctx context.Context, cmd permission.Command) error {
	err := s.gate.PermitCommand(ctx, cmd)
	if err == nil {
		s.approvals.Command()
	}
	return err
}

func (s *Session) terminalOutput(ctx context.Context, p *acp.TerminalOutputRequest) (any, error) {
	var out *acp.TerminalOutputResponse
	err := s.withTerminal(ctx, p.TerminalID, func(t *terminalproxy.Terminal) error {
		o := t.Output()
		out = &acp.TerminalOutputResponse{Output: o.Text, Truncated: o.Truncated}
		if o.Exit != nil {
			out.ExitStatus = &acp.TerminalExitStatus{ExitCode: o.Exit.Code, Signal: o.Exit.Signal}
		}
		return nil
	})
	return out, err
}

// waitForExit is ACP v1 terminal/wait_for_exit. It is asked on asked, which a cancel of the turn does not end: the agent wants
// to know how its command ended.
func (s *Session) waitForExit(ctx, asked context.Context, p *acp.WaitForTerminalExitRequest) (any, error) {
	var exit terminalproxy.Exit
	err := s.withTerminal(ctx, p.TerminalID, func(t *terminalproxy.Terminal) (err error) {
		if exit, err = t.Wait(asked); err == nil {
			s.settleEnded(asked)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return &acp.WaitForTerminalExitResponse{ExitCode: exit.Code, Signal: exit.Signal}, nil
}

// terminalOf is the terminal that a request is about, nil if it is about none. It is looked up in the order of the wire:
// claude-code-acp 0.16 releases a terminal that it still waits for, and the release must not overtake the wait.
func (s *Session) terminalOf(req *acp.Request) *terminalproxy.Terminal {
	switch req.Method() {
	case acp.MethodTerminalOutput, acp.MethodTerminalWaitForExit, acp.MethodTerminalKill, acp.MethodTerminalRelease:
	default:
		return nil
	}
	if s.b.cfg.Terminals != nil { // the editor knows its own
		return nil
	}
	id, _ := acp.StringOf(acp.Member(req.Params(), "terminalId"))
	t, _ := s.b.runner.Get(s.ID, id) // an unknown one is refused when the request is answered
	return t
}

func (s *Session) withTerminal(ctx context.Context, id acp.TerminalID, f func(*terminalproxy.Terminal) error) error {
	t := servedOf(ctx).term
	if t == nil || t.ID() != string(id) {
		var err error
		if t, err = s.b.runner.Get(s.ID, string(id)); err != nil {
			return err
		}
	}
	if err := f(t); err != nil && !errors.Is(err, terminalproxy.ErrReleased) {
		return err
	}
	return nil
}
