package bridge

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

// Bash implements [tools.Host]: a command in the session's folder.
func (l *link) Bash(ctx context.Context, c tools.Caller, a tools.BashArgs, progress func(string)) (string, error) {
	args := map[string]any{"command": a.Command, "shellId": a.ShellID}
	return l.call(ctx, c, "bash", args, func(ctx context.Context, s *Session, use *toolUse) (string, error) {
		if err := s.gate.RefuseInPlan("bash", policy.ToolShell, a.Command); err != nil {
			return "", err
		}
		if strings.TrimSpace(a.Command) == "" {
			return "", &Refusal{Reason: "the command is empty; nothing was run"}
		}
		var text string
		err := permission.AsShown(func() (err error) { text, err = s.bashAsShown(ctx, a, use, progress); return err })
		return text, err
	})
}

// bashAsShown asks about a command, and runs it in the shell as it was shown.
func (s *Session) bashAsShown(ctx context.Context, a tools.BashArgs, use *toolUse, progress func(string)) (string, error) {
	cwd, env := s.b.shells.Cwd(s.ID, a.ShellID, s.Cwd), s.b.shells.Changed(s.ID, a.ShellID)
	if err := s.permitCommand(ctx, permission.Command{Tool: "bash", Argv: []string{"bash", "-c", a.Command}, Cwd: cwd, Env: env, InShell: true}); err != nil {
		return "", err
	}
	release, err := s.beforeCommand(ctx, a.Command)
	if err != nil {
		return "", err
	}
	begun := false
	text, err := s.b.shells.Bash(ctx, terminalproxy.ShellCall{
		Session: s.ID, Command: a.Command, Description: a.Description, ShellID: a.ShellID, Cwd: cwd, Shown: &env,
		Async: a.Mode == tools.BashAsync, Detach: a.Detach, InitialWait: a.InitialWait,
		Started: func(t *terminalproxy.Terminal) {
			begun = true
			s.showAway(ctx, use, t.RemoteID())
			s.in.put(terminalIn{use, t.ID()})
			s.watchCommand(ctx, &command{term: t, title: escape.Inline(a.Command), release: release})
		},
	}, progress)
	if !begun {
		release()
		return text, err
	}
	// What the command changed is in review, and in the open buffers, before the model goes on: all of it, or what it
	// has changed by now.
	if a.Mode != tools.BashAsync && len(s.commands.running()) > 0 {
		s.reconcile(s.life, turnOf(ctx))
	}
	s.settleEnded(ctx)
	return text, err
}

// ReadBash implements [tools.Host].
func (l *link) ReadBash(ctx context.Context, c tools.Caller, a tools.ReadBashArgs) (string, error) {
	return l.call(ctx, c, "read_bash", map[string]any{"shellId": a.ShellID}, func(ctx context.Context, s *Session, _ *toolUse) (string, error) {
		defer s.settleEnded(ctx)
		return s.b.shells.Read(ctx, s.ID, a.ShellID, max(a.Delay, 0*time.Second))
	})
}

// StopBash implements [tools.Host].
func (l *link) StopBash(ctx context.Context, c tools.Caller, a tools.StopBashArgs) (string, error) {
	return l.call(ctx, c, "stop_bash", map[string]any{"shellId": a.ShellID}, func(ctx context.Context, s *Session, _ *toolUse) (string, error) {
		defer s.settleEnded(ctx)
		return s.b.shells.Stop(ctx, s.ID, a.ShellID)
	})
}

// ListBash implements [tools.Host].
func (l *link) ListBash(ctx context.Context, c tools.Caller) (string, error) {
	return l.call(ctx, c, "list_bash", nil, func(_ context.Context, s *Session, _ *toolUse) (string, error) {
		return s.b.shells.List(s.ID), nil
	})
}
