package copilot

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

func TestTheWorkspaceBringsNoCodeThroughTheEnvironment(t *testing.T) {
	env := []string{"PATH=/bin", "GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true", "COPILOT_AUTO_UPDATE=false", "GITHUB_COPILOT_PROMPT_MODE_WORKSPACE_MCP=true", "GITHUB_COPILOT_PROMPT_MODE_EXTENSIONS=x"}
	if diff := cmp.Diff([]string{"PATH=/bin", "COPILOT_AUTO_UPDATE=false", "GITHUB_COPILOT_PROMPT_MODE_EXTENSIONS=x", "GIT_NO_LAZY_FETCH=1"}, AgentEnv(env)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"PATH=/bin", "GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true", "COPILOT_AUTO_UPDATE=false", "GITHUB_COPILOT_PROMPT_MODE_EXTENSIONS=x", "GIT_NO_LAZY_FETCH=1"}, AgentEnv(env, "GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS")); diff != "" {
		t.Error(diff)
	}
	own := []string{"GIT_NO_LAZY_FETCH=0"}
	if diff := cmp.Diff(own, AgentEnv(own)); diff != "" {
		t.Error("the user's own value: " + diff)
	}
	if got := AgentEnv(nil); len(got) < len(os.Environ()) || !slices.Contains(got, "GIT_NO_LAZY_FETCH=1") {
		t.Errorf("the process's own environment: %q", got)
	}
	if len(env) != 5 || env[1] != "GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS=true" {
		t.Error("the caller's environment was changed")
	}
}

func TestStateDir(t *testing.T) {
	for want, env := range map[string][]string{
		"/c":                             {"HOME=/h", "COPILOT_HOME=/c"},
		filepath.Join("/h2", ".copilot"): {"HOME=/h", "COPILOT_HOME=", "HOME=/h2", "USERPROFILE=/h2"},
		"":                               {"PATH=/bin"},
	} {
		if got := StateDir(env); got != want {
			t.Errorf("%v: %q", env, got)
		}
	}
	if got := oldStateDir([]string{"XDG_STATE_HOME=/x"}); got != filepath.Join("/x", ".copilot") {
		t.Errorf("old: %q", got)
	}
}

func TestSignInHint(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	method := func(meta string) []acp.AuthMethod {
		return []acp.AuthMethod{&acp.AuthMethodTerminal{ID: "other"}, &acp.AuthMethodAgent{ID: "copilot-login", Meta: jsontext.Value(meta)}}
	}
	for _, c := range []struct {
		methods []acp.AuthMethod
		want    string
	}{
		{nil, "run `copilot login` in a terminal, then try again"},
		{method(`{}`), "run `copilot login` in a terminal, then try again"},
		{method(`{"terminal-auth":7}`), "run `copilot login` in a terminal, then try again"},
		{method(`{"terminal-auth":{"command":"/opt/copilot","args":["login"],"label":"x"}}`), "run `/opt/copilot login` in a terminal, then try again"},
		{method(`{"terminal-auth":{"command":"/My Apps/copilot","args":["login","--host","a'b"]}}`), `run ` + "`'/My Apps/copilot' login --host 'a'\\''b'`" + ` in a terminal, then try again`},
		{method(`{"terminal-auth":{"command":"copilot\u001b[2J","args":["login\n"]}}`), "run `'copilot<U+001B>[2J' 'login⏎'` in a terminal, then try again"},
	} {
		if got := SignInHint(c.methods); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestSignInHintIsShortWhereCopilotIsInPath: the whole path of npm's copy is no command for people.
func TestSignInHintIsShortWhereCopilotIsInPath(t *testing.T) {
	bin := t.TempDir()
	name := "copilot"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	meta, err := json.Marshal(map[string]any{"terminal-auth": map[string]any{"command": filepath.Join(t.TempDir(), "node_modules", name), "args": []string{"login"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := SignInHint([]acp.AuthMethod{&acp.AuthMethodAgent{ID: "copilot-login", Meta: meta}}); got != "run `copilot login` in a terminal, then try again" {
		t.Error(got)
	}
}
