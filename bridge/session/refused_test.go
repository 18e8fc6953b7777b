package session_test

import (
	"context"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// locked is an editor that is asked for files and lets none be read.
type locked struct{}

func (locked) ReadText(_ context.Context, path string) (string, bool, error) {
	return "", false, &fsproxy.RefusedError{Path: path, Reason: "the buffer is locked"}
}

func (locked) OwnText(context.Context, string) (string, error) { return "", fsproxy.ErrNotServed }

func (locked) WriteText(context.Context, string, string, string) error { return nil }

func (locked) ReadsDisk(context.Context, string) {}

// TestNoToolGoesPastAnEditorThatRefuses: it may have unsaved text, also of a file that is not there, and the disk does not
// stand in for it. Each tool says why.
func TestNoToolGoesPastAnEditorThatRefuses(t *testing.T) {
	t.Parallel()
	r := newRigWith(t, map[string]string{"a.txt": "needle\n"}, func(c *Config) { c.Remote = locked{} }, toolTurn).open()
	r.inTurn(func(l *link) {
		for name, do := range map[string]func() (string, error){
			"view":        func() (string, error) { return l.View(r.ctx, caller(), tools.ViewArgs{Path: r.path("a.txt")}) },
			"view of new": func() (string, error) { return l.View(r.ctx, caller(), tools.ViewArgs{Path: r.path("new.txt")}) },
			"edit":        func() (string, error) { return r.edit(l, "a.txt", "needle", "thread") },
			"create": func() (string, error) {
				return l.Create(r.ctx, caller(), tools.CreateArgs{Path: r.path("new.txt"), Text: "new\n"})
			},
		} {
			if got, err := do(); err == nil || !strings.Contains(err.Error(), "the buffer is locked") {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
		got, err := l.Grep(r.ctx, caller(), tools.GrepArgs{Pattern: "needle", Mode: tools.GrepContent})
		if err != nil || strings.Contains(got, "a.txt:") || !strings.Contains(got, "refused to read them: a.txt") {
			t.Errorf("grep: %q, %v", got, err)
		}
	})
	if got := r.disk("a.txt"); got != "needle\n" {
		t.Errorf("the disk holds %q", got)
	}
}
