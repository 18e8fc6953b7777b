package bridge

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// The editor tools as a wire onto package host; the ACP client methods are another (serve.go).

// Grep implements [tools.Host].
func (l *link) Grep(ctx context.Context, c tools.Caller, a tools.GrepArgs) (string, error) {
	return l.call(ctx, c, "grep", map[string]any{"pattern": a.Pattern}, func(ctx context.Context, s *Session, _ *toolUse) (string, error) {
		return s.host.Grep(ctx, a)
	})
}

// Glob implements [tools.Host].
func (l *link) Glob(ctx context.Context, c tools.Caller, a tools.GlobArgs) (string, error) {
	return l.call(ctx, c, "glob", map[string]any{"pattern": a.Pattern}, func(ctx context.Context, s *Session, _ *toolUse) (string, error) {
		return s.host.Glob(ctx, a)
	})
}

// Diagnostics implements [tools.Host].
func (l *link) Diagnostics(ctx context.Context, c tools.Caller, a tools.DiagnosticsArgs) (string, error) {
	return l.call(ctx, c, "diagnostics", map[string]any{"path": a.Path}, func(ctx context.Context, s *Session, _ *toolUse) (string, error) {
		return s.host.Diagnostics(ctx, a)
	})
}

// Selection implements [tools.Host].
func (l *link) Selection(ctx context.Context, c tools.Caller) (string, error) {
	return l.call(ctx, c, "selection", nil, func(ctx context.Context, s *Session, _ *toolUse) (string, error) {
		return s.host.Selection(ctx)
	})
}
