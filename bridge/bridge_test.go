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

// TestWhatSaysWhatIsAskedIsProtected: the state, the user's configuration and the file of their rules.
func TestWhatSaysWhatIsAskedIsProtected(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want []string
	}{
		{Config{StateDir: "/state", ConfigDir: "/config", RulesFile: "/w/rules.json"}, []string{"/state", "/config", "/w/rules.json"}},
		{Config{RulesFile: "/w/rules.json"}, []string{"/w/rules.json"}},
		{Config{}, nil},
	} {
		if got := ownPlaces(&c.cfg); !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
