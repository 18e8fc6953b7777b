package session_test

import (
	"context"
	"os"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// TestAScriptThatChangesDuringTheQuestionIsAskedAboutAgain: it is what would be run.
func TestAScriptThatChangesDuringTheQuestionIsAskedAboutAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t, map[string]string{"build.sh": "one\n"}, toolTurn).open()
	asked := 0
	r.screen.ask = func(ctx context.Context, q *Question) (Answer, error) {
		if asked++; asked > 1 {
			return no(ctx, q)
		}
		if err := os.WriteFile(r.path("build.sh"), []byte("touch pwned\n"), 0o644); err != nil {
			t.Error(err)
		}
		return yes(ctx, q)
	}
	r.inTurn(func(*link) {
		s := r.theSession()
		_, err := s.Host().CreateTerminal(r.ctx, &acp.CreateTerminalRequest{Command: "sh", Args: []string{"build.sh"}})
		if err == nil || asked != 2 {
			t.Errorf("asked %d times: %v", asked, err)
		}
	})
}
