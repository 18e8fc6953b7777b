package agents

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// TestAnAgentIsStartedWithoutTheToolsThatTheEditorsReplace: opencode and kilo by the configuration in their environment, gemini-cli by
// the defaults of the system. What is configured there already stays.
func TestAnAgentIsStartedWithoutTheToolsThatTheEditorsReplace(t *testing.T) {
	defaults := filepath.Join(t.TempDir(), "system-defaults.json")
	if err := os.WriteFile(defaults, []byte(`{"mine":1.0,"tools":{"exclude":["web_fetch"]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{`OPENCODE_CONFIG_CONTENT={"mine":1.0,"tools":{"webfetch":false}}`, "GEMINI_CLI_SYSTEM_DEFAULTS_PATH=" + defaults, "OTHER=1"}
	for program, want := range map[string][2]string{
		"/usr/bin/opencode": {`"mine":1.0 "webfetch":false "read":false "edit":false "bash":false "editor_*":"allow"`, ""},
		"kilo":              {`"read":false "bash":false "editor_*":"allow"`, "mine"},
		"gemini":            {`"mine":1.0 "web_fetch" "read_file" "replace" "run_shell_command" "trust":true`, ""},
	} {
		r := newRig(t, func(c *Config) { c.RunDir = t.TempDir() })
		a := newProcess(r.Pool, r.groupOf(serverSet{}))
		known := configuredProgram([]string{program, "acp"})
		if known == nil {
			t.Fatalf("%s is not known", program)
		}
		more, err := known.prepare(a, env, tools.ToolSet{Files: true, Shell: true})
		if err != nil || len(more) != 1 {
			t.Fatalf("%s: %q, %v", program, more, err)
		}
		_, text, _ := strings.Cut(more[0], "=")
		file := text
		if known.program == "gemini" {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text = string(b)
		}
		for _, part := range strings.Fields(want[0]) {
			if !strings.Contains(text, part) {
				t.Errorf("%s: no %s in %s", program, part, text)
			}
		}
		if want[1] != "" && strings.Contains(text, want[1]) {
			t.Errorf("%s: %s in %s", program, want[1], text)
		}
		a.clearUp()
		if _, err := os.Stat(file); known.program == "gemini" && !os.IsNotExist(err) {
			t.Errorf("%s is left: %v", file, err)
		}
		off, err := known.prepare(a, nil, tools.ToolSet{Diagnostics: true})
		if err != nil || strings.Contains(strings.Join(off, ""), `false`) {
			t.Errorf("%s: tools are off that nothing replaces: %q, %v", program, off, err)
		}
		a.clearUp()
	}
	for _, other := range [][]string{nil, {"copilot"}, {"my-opencode"}} {
		if configuredProgram(other) != nil {
			t.Errorf("%q is taken for another", other)
		}
	}
}

// TestAConfigurationThatCannotBeReadIsLeftAlone: the agent keeps its own tools then.
func TestAConfigurationThatCannotBeReadIsLeftAlone(t *testing.T) {
	if more, err := inlineConfig("X", []string{"X=// mine\n{}"}, tools.ToolSet{Files: true}); err == nil {
		t.Errorf("made %q of it", more)
	}
}
