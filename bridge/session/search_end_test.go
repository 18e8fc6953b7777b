package session_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission/meaning"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// TestASearchEndsWithItsCall: also within one file, whatever the expression.
func TestASearchEndsWithItsCall(t *testing.T) {
	r := newRig(t, map[string]string{"a.txt": strings.Repeat("a", 4_000_000) + "\n"}, toolTurn).open()
	r.inTurn(func(l *link) {
		for what, pattern := range map[string]string{"much that is optional": strings.Repeat("(a?b?)", 500) + "c", "repeated": strings.Repeat("(?:a?){1000}", 100) + "c"} {
			ctx, cancel := context.WithTimeout(r.ctx, 100*time.Millisecond)
			began := time.Now()
			if text, err := l.Grep(ctx, caller(), tools.GrepArgs{Pattern: pattern}); err == nil && strings.Contains(text, "a.txt") {
				t.Errorf("%s: %q", what, text)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("%s: it went on for %v", what, took)
			}
			cancel()
		}
		if text, err := l.Grep(r.ctx, caller(), tools.GrepArgs{Pattern: strings.Repeat("x", 64<<10)}); err == nil || len(err.Error()) > 1000 {
			t.Errorf("a pattern that is too long: %.200s, %v", text, err)
		}
		many := slices.Repeat([]string{r.dir}, meaning.MaxFiles+1)
		if _, err := l.Glob(r.ctx, caller(), tools.GlobArgs{Pattern: "*", Paths: many}); err == nil {
			t.Error("glob takes any number of paths")
		}
		if _, err := l.Grep(r.ctx, caller(), tools.GrepArgs{Pattern: "x", Paths: many}); err == nil {
			t.Error("grep takes any number of paths")
		}
	})
}
