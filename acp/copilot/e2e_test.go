//go:build e2e

package copilot

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// real is the Copilot CLI that COPILOT names.
func real(t *testing.T) string {
	t.Helper()
	exe := os.Getenv("COPILOT")
	if exe == "" {
		t.Fatal("COPILOT is not set to the path of a Copilot CLI")
	}
	return exe
}

// freshHome is an empty home folder, but for the cache: Copilot unpacks itself once, not once a test.
func freshHome(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	shared := filepath.Join(cache, "copilot")
	if err := errors.Join(os.MkdirAll(shared, 0o755), os.Mkdir(filepath.Join(home, ".cache"), 0o755)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(shared, filepath.Join(home, ".cache", "copilot")); err != nil {
		t.Fatal(err)
	}
	return home
}

// offline is an environment in which Copilot opens sessions and talks to nobody.
func offline(t *testing.T) []string {
	home := freshHome(t)
	return append(os.Environ(), "HOME="+home, "COPILOT_HOME="+filepath.Join(home, ".copilot"), "COPILOT_AUTO_UPDATE=false",
		"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=http://127.0.0.1:9/v1", "COPILOT_MODEL=mock")
}

func TestE2EInspectTheRealCopilot(t *testing.T) {
	env := offline(t)
	r := Inspect(t.Context(), InspectConfig{Command: []string{real(t)}, Env: env, Version: "test"})
	if !r.OK || outline(r) != "program=true version=true asks=true kind=true state=true start=true sign-in=true" {
		t.Errorf("%+v", r)
	}
	left, err := filepath.Glob(filepath.Join(StateDir(env), "session-state", "[0-9a-f]*-*-*"))
	if err != nil || len(left) != 0 {
		t.Errorf("sessions are left: %v %v", left, err)
	}
}

func TestE2ESignedOutCopilotSaysHowToSignIn(t *testing.T) {
	home := freshHome(t)
	var env []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "COPILOT_") && !strings.HasPrefix(kv, "GITHUB_") && !strings.HasPrefix(kv, "GH_") {
			env = append(env, kv)
		}
	}
	env = append(env, "HOME="+home, "COPILOT_AUTO_UPDATE=false")
	r := Inspect(t.Context(), InspectConfig{Command: []string{real(t)}, Env: env, Version: "test"})
	last := r.Checks[len(r.Checks)-1]
	if r.OK || last.Name != "sign-in" || !strings.Contains(last.Fix, "login") {
		t.Errorf("%+v", r)
	}
}

func TestE2ECopilotTakesTheWholeCommandLine(t *testing.T) {
	l := Launch{Command: []string{real(t), "--excluded-tools=task", "--log-level", "info"}, Self: []string{"/nowhere/copilot-bridge"}, Socket: "/nowhere/editor.sock",
		Tools: ToolSet{Files: true, Shell: true, Diagnostics: true}, Extra: []MCPServer{{Name: "other", Command: "/nowhere/mcp", Env: map[string]string{"A": "b"}}}}
	l.ConfigFile = filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(l.ConfigFile, l.MCPConfig(), 0o600); err != nil || !json.Valid(l.MCPConfig()) {
		t.Fatal(err)
	}
	// Argv leaves alone what is there already, so Inspect starts exactly this.
	r := Inspect(t.Context(), InspectConfig{Command: l.Argv(), Env: offline(t), Version: "test"})
	if !r.OK {
		t.Errorf("%+v", r)
	}
}
