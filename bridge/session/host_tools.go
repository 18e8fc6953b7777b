package session

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/bridge/calls"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// The editor tools as a wire onto package host; the ACP client methods are another (serve.go).

// View implements [tools.Host].
func (l *Link) View(ctx context.Context, c tools.Caller, a tools.ViewArgs) (string, error) {
	return l.call(ctx, c, "view", map[string]any{"path": a.Path}, func(ctx context.Context, s *Session, _ *calls.Use) (string, error) {
		return s.host.View(ctx, a)
	})
}

// Edit implements [tools.Host].
func (l *Link) Edit(ctx context.Context, c tools.Caller, a tools.EditArgs) (string, error) {
	args := map[string]any{"path": a.Path, "old_str": a.Old, "new_str": a.New}
	return l.call(ctx, c, "edit", args, func(ctx context.Context, s *Session, use *calls.Use) (string, error) {
		return s.host.Edit(ctx, a, hostCall{s, use})
	})
}

// Create implements [tools.Host].
func (l *Link) Create(ctx context.Context, c tools.Caller, a tools.CreateArgs) (string, error) {
	args := map[string]any{"path": a.Path, "file_text": a.Text}
	return l.call(ctx, c, "create", args, func(ctx context.Context, s *Session, use *calls.Use) (string, error) {
		return s.host.Create(ctx, a, hostCall{s, use})
	})
}

// Grep implements [tools.Host].
func (l *Link) Grep(ctx context.Context, c tools.Caller, a tools.GrepArgs) (string, error) {
	return l.call(ctx, c, "grep", map[string]any{"pattern": a.Pattern}, func(ctx context.Context, s *Session, _ *calls.Use) (string, error) {
		return s.host.Grep(ctx, a)
	})
}

// Glob implements [tools.Host].
func (l *Link) Glob(ctx context.Context, c tools.Caller, a tools.GlobArgs) (string, error) {
	return l.call(ctx, c, "glob", map[string]any{"pattern": a.Pattern}, func(ctx context.Context, s *Session, _ *calls.Use) (string, error) {
		return s.host.Glob(ctx, a)
	})
}

// Bash implements [tools.Host].
func (l *Link) Bash(ctx context.Context, c tools.Caller, a tools.BashArgs, progress func(string)) (string, error) {
	args := map[string]any{"command": a.Command, "shellId": a.ShellID}
	return l.call(ctx, c, "bash", args, func(ctx context.Context, s *Session, use *calls.Use) (string, error) {
		return s.host.Bash(ctx, a, hostCall{s, use}, progress)
	})
}

// ReadBash implements [tools.Host].
func (l *Link) ReadBash(ctx context.Context, c tools.Caller, a tools.ReadBashArgs) (string, error) {
	return l.call(ctx, c, "read_bash", map[string]any{"shellId": a.ShellID}, func(ctx context.Context, s *Session, _ *calls.Use) (string, error) {
		return s.host.ReadBash(ctx, a)
	})
}

// StopBash implements [tools.Host].
func (l *Link) StopBash(ctx context.Context, c tools.Caller, a tools.StopBashArgs) (string, error) {
	return l.call(ctx, c, "stop_bash", map[string]any{"shellId": a.ShellID}, func(ctx context.Context, s *Session, _ *calls.Use) (string, error) {
		return s.host.StopBash(ctx, a)
	})
}

// ListBash implements [tools.Host].
func (l *Link) ListBash(ctx context.Context, c tools.Caller) (string, error) {
	return l.call(ctx, c, "list_bash", nil, func(_ context.Context, s *Session, _ *calls.Use) (string, error) {
		return s.host.ListBash(), nil
	})
}

// Diagnostics implements [tools.Host].
func (l *Link) Diagnostics(ctx context.Context, c tools.Caller, a tools.DiagnosticsArgs) (string, error) {
	return l.call(ctx, c, "diagnostics", map[string]any{"path": a.Path}, func(ctx context.Context, s *Session, _ *calls.Use) (string, error) {
		return s.host.Diagnostics(ctx, a)
	})
}

// Language implements [tools.Host].
func (l *Link) Language(ctx context.Context, c tools.Caller, a tools.LanguageArgs) (string, error) {
	args := map[string]any{"path": a.Path, "symbol": a.Symbol, "query": a.Query, "newName": a.NewName, "apply": a.Apply}
	return l.call(ctx, c, string(a.Tool), args, func(ctx context.Context, s *Session, use *calls.Use) (string, error) {
		return s.host.Language(ctx, a, hostCall{s, use})
	})
}

// HasLanguage implements [tools.Linguist].
func (l *Link) HasLanguage(ctx context.Context, _ tools.Caller) bool {
	_, err := l.all.cfg.Editor.Languages(ctx, "")
	return err == nil
}

// Ask implements [tools.Host].
func (l *Link) Ask(ctx context.Context, c tools.Caller, a tools.AskArgs) (string, error) {
	return l.call(ctx, c, "ask", map[string]any{"question": a.Question}, func(ctx context.Context, s *Session, _ *calls.Use) (string, error) {
		return s.host.Ask(ctx, a)
	})
}

// HasAsk implements [tools.Asker].
func (l *Link) HasAsk(context.Context, tools.Caller) bool {
	asker, ok := l.all.cfg.Editor.(Asker)
	return ok && asker.CanAsk()
}

// Selection implements [tools.Host].
func (l *Link) Selection(ctx context.Context, c tools.Caller) (string, error) {
	return l.call(ctx, c, "selection", nil, func(ctx context.Context, s *Session, _ *calls.Use) (string, error) {
		return s.host.Selection(ctx)
	})
}
