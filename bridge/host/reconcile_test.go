package host

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
)

// TestReconcileLeavesItsOwnBookkeepingAlone: in a session whose folder is the user's home, what the bridge and Copilot
// keep there is no change of a command.
func TestReconcileLeavesItsOwnBookkeepingAlone(t *testing.T) {
	dir := t.TempDir()
	h := New(Config{Own: []string{filepath.Join(dir, "state"), filepath.Join(dir, ".copilot/session-state"), filepath.Join(dir, ".copilot/logs"), ""}})
	for _, d := range []string{"state", ".copilot/session-state", ".copilot/logs"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	own := h.bookkeeping()
	for name, want := range map[string]bool{
		"state/sessions/s/log": true, ".copilot/session-state/x/events.jsonl": true, ".copilot/logs/a.log": true,
		".copilot/mcp-config.json": false, "state.txt": false, "a.txt": false,
	} {
		if got := own(workspace.Change{Path: filepath.Join(real, filepath.FromSlash(name))}); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
