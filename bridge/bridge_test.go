package bridge

import (
	"os"
	"slices"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

func TestMain(m *testing.M) { os.Exit(await.Watch(m).Run()) }

// TestTheFoldersOfItsOwn: the bridge and Copilot keep there what is no change of a command.
func TestTheFoldersOfItsOwn(t *testing.T) {
	got := ownFolders(&Config{StateDir: "/state", Env: []string{"COPILOT_HOME=/home/.copilot"}})
	if want := []string{"/state", "/home/.copilot/session-state", "/home/.copilot/logs"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
