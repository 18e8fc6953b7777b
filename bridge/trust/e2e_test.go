//go:build e2e

package trust

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp/acptest/model"
	"github.com/copilot-bridge/copilot-bridge/acp/acptest/realcopilot"
)

// TestE2ECopilotIsTriedOut has the real Copilot CLI pass, without a trace in the user's own folders and without a word to
// the user's own provider. Hooks that somebody has put into the folder for temporary files are not run.
func TestE2ECopilotIsTriedOut(t *testing.T) {
	exe, err := realcopilot.Path()
	if err != nil {
		t.Fatal(err)
	}
	provider, err := model.New()
	if err != nil {
		t.Fatal(err)
	}
	defer provider.Close()
	shared := t.TempDir()
	t.Setenv("TMPDIR", shared)
	ran := filepath.Join(shared, "ran")
	for _, d := range []string{".git", filepath.Join(".github", "hooks")} {
		if err := os.MkdirAll(filepath.Join(shared, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	hook := `{"version":1,"hooks":{"sessionStart":[{"type":"command","bash":"touch ` + ran + `"}]}}`
	for name, text := range map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".github/hooks/x.json": hook} {
		if err := os.WriteFile(filepath.Join(shared, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	home := t.TempDir()
	env, err := realcopilot.Env(provider, home)
	if err != nil {
		t.Fatal(err)
	}
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	v, err := Trial{Command: []string{exe}, Env: env, Self: []string{me}, Agent: "copilot " + realcopilot.Version, Version: "test", Log: zerolog.Nop()}.Run(t.Context())
	if err != nil || !v.Passed() {
		t.Errorf("%+v, %v", v, err)
	}
	if _, err := os.Lstat(ran); err == nil {
		t.Error("a hook of the folder for temporary files has run")
	}
	if n := len(provider.Requests()); n > 0 {
		t.Errorf("the user's provider was asked %d times", n)
	}
	if _, err := os.Lstat(filepath.Join(home, ".copilot")); err == nil {
		t.Error("there is something in the user's own settings")
	}
	t.Logf("%+v", v)
}
