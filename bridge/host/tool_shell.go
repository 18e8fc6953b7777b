package host

import (
	"context"
	"strings"
	"time"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// Bash is the tool of that name: a command in the session's folder.
func (s *Service) Bash(ctx context.Context, a tools.BashArgs, call Call, progress func(string)) (string, error) {
	if err := s.Gate.RefuseChange("bash", policy.ToolShell, a.Command); err != nil {
		return "", err
	}
	if strings.TrimSpace(a.Command) == "" {
		return "", &permission.Refusal{Reason: "the command is empty; nothing was run", User: "Refused: the command is empty"}
	}
	var text string
	err := permission.AsShown(func() (err error) { text, err = s.bashAsShown(ctx, a, call, progress); return err })
	return text, err
}

// bashAsShown asks about a command, and runs it in the shell as it was shown.
func (s *Service) bashAsShown(ctx context.Context, a tools.BashArgs, call Call, progress func(string)) (string, error) {
	cwd, env := s.all.Shells.Cwd(s.ID, a.ShellID, s.Cwd), s.all.Shells.Changed(s.ID, a.ShellID)
	save := s.toSave()
	g, err := s.permitCommand(ctx, permission.Command{Tool: "bash", Argv: terminalproxy.LineArgv(a.Command), Cwd: cwd, Env: env, InShell: true, Save: save})
	if err != nil {
		return "", err
	}
	release, err := s.beforeCommand(ctx, a.Command, save, false, &g)
	if err != nil {
		return "", err
	}
	begun := false
	text, err := s.all.Shells.Bash(ctx, terminalproxy.ShellCall{
		Session: s.ID, Command: a.Command, Description: a.Description, ShellID: a.ShellID, Cwd: cwd, Shown: &env,
		Async: a.Mode == tools.BashAsync, Detach: a.Detach, InitialWait: a.InitialWait,
		Started: func(t *terminalproxy.Terminal) {
			begun = true
			call.Began(ctx, t)
			s.watchCommand(ctx, &command{term: t, title: escape.Inline(a.Command), release: release})
		},
	}, progress)
	if !begun {
		release()
		return text, err
	}
	// What the command changed is in review, and in the open buffers, before the model goes on: all of it, or what it
	// has changed by now.
	if a.Mode != tools.BashAsync && s.CommandsRun() {
		s.reconcile(s.Life, s.Turn(ctx))
	}
	s.settleEnded(ctx)
	return text, err
}

// ReadBash is the tool of that name.
func (s *Service) ReadBash(ctx context.Context, a tools.ReadBashArgs) (string, error) {
	defer s.settleEnded(ctx)
	return s.all.Shells.Read(ctx, s.ID, a.ShellID, max(a.Delay, 0*time.Second))
}

// StopBash is the tool of that name.
func (s *Service) StopBash(ctx context.Context, a tools.StopBashArgs) (string, error) {
	defer s.settleEnded(ctx)
	return s.all.Shells.Stop(ctx, s.ID, a.ShellID)
}

// ListBash is the tool of that name.
func (s *Service) ListBash() string { return s.all.Shells.List(s.ID) }
