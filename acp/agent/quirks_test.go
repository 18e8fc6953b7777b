package agent

import (
	"slices"
	"testing"
)

func TestWhoIsHandedTheEditorsTools(t *testing.T) {
	for name, want := range map[string]bool{
		"@agentclientprotocol/claude-agent-acp": true, "@zed-industries/claude-agent-acp": true, "claude-agent-acp": true,
		"@agentclientprotocol/codex-acp": true, "codex-acp": true,
		// These ask the client, but for some of it only.
		"OpenCode": true, "Kilo": true, "gemini-cli": true,
		// These ask the client for files.
		"@zed-industries/claude-code-acp": false, "qwen-code": false, "kimi": false,
		"": false, "my-claude-agent-acp": false, "claude-agent-acp/": false,
	} {
		if got := QuirksOf(name).IgnoresClientFS; got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

func TestOnlyWhatIsReplacedIsTurnedOff(t *testing.T) {
	q := QuirksOf("claude-agent-acp")
	for _, c := range []struct {
		files, shell bool
		on, off      []string
	}{
		{true, true, []string{"Task"}, []string{"Read", "Edit", "Write", "Grep", "Glob", "Bash"}},
		{true, false, []string{"Bash"}, []string{"Read"}},
		{false, true, []string{"Read"}, []string{"Bash"}},
		{false, false, []string{"Read", "Bash"}, nil},
	} {
		got := q.TurnedOff(c.files, c.shell)
		for _, name := range c.off {
			if !slices.Contains(got, name) {
				t.Errorf("%+v: %s is left on", c, name)
			}
		}
		for _, name := range c.on {
			if slices.Contains(got, name) {
				t.Errorf("%+v: %s is off", c, name)
			}
		}
	}
	if off := QuirksOf("codex-acp").TurnedOff(true, true); off != nil {
		t.Errorf("codex-acp has no way to switch %v off", off)
	}
}
