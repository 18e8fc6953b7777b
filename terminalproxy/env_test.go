//go:build linux

package terminalproxy

import (
	"slices"
	"strings"
	"testing"
)

// S-60: exactly the user's environment without credentials, and what the agent adds.
func TestCommandGetsTheEnvironmentWithoutCredentials(t *testing.T) {
	dir := t.TempDir()
	r := New(Config{
		Env: []string{
			"PATH=/usr/bin:/bin", "A=1", "A=2", "GH_TOKEN=s", "GITHUB_TOKEN=s", "COPILOT_MODEL=s", "COPILOT_AGENT_SESSION_ID=s", "NPM_TOKEN=s",
			"my_api_key=s", "AWS_SECRET=s", "KEPT_TOKEN=k", "TOKENS=t", "KEYBOARD=us", "=C:=x", "broken", "EMPTY=",
		},
		KeepEnv: []string{"KEPT_TOKEN"},
	})
	t.Cleanup(r.Close)
	term := create(t, r, Spec{Command: "env", Cwd: dir, Env: []EnvVar{{"B", "first"}, {"B", "last"}, {"A", "agent"}, {"GIVEN_TOKEN", "by the agent"}}})
	wait(t, term)
	got := strings.Split(strings.TrimSpace(term.Output().Text), "\n")
	slices.Sort(got)
	want := []string{"A=agent", "B=last", "EMPTY=", "GIVEN_TOKEN=by the agent", "KEPT_TOKEN=k", "KEYBOARD=us", "PATH=/usr/bin:/bin", "PWD=" + dir, "TOKENS=t"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
