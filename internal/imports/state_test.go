package imports

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestOneFunctionOpensTheStateFolder guards what is kept: the program finds its state folder in one place, which has
// durable.OpenState look at it, and nothing else makes a path in it of its own.
func TestOneFunctionOpensTheStateFolder(t *testing.T) {
	finds := regexp.MustCompile(`"XDG_STATE_HOME"|"\.local"|UserHomeDir\(|UserConfigDir\(|UserCacheDir\(`)
	mayFind := map[string]string{
		"cmd/copilot-bridge/environ.go": "the one place",
		"cmd/copilot-bridge/acp.go":     "where the user's home is, for a file of rules",
		"bridge/bridge.go":              "~ in rules",
		"bridge/workspace/gitconfig.go": "what git ignores",
		"acp/copilot/env.go":            "Copilot's own state",
	}
	gives := regexp.MustCompile(`\bStateDir:\s*(\w+)`)
	opened := 0
	for path, source := range ofTheProgram(t) {
		slash := filepath.ToSlash(path)
		known := false
		for file := range mayFind {
			known = known || strings.HasSuffix(slash, "/"+file)
		}
		if m := finds.FindString(source); m != "" && !known {
			t.Errorf("%s looks for a folder of the user's by itself: %s", path, m)
		}
		opened += strings.Count(source, "durable.OpenState(")
		for _, m := range gives.FindAllStringSubmatch(source, -1) {
			if !strings.HasSuffix(slash, "/cmd/copilot-bridge/prompt.go") || m[1] != "state" || !strings.Contains(source, "state, unsaved := stateDir()") {
				t.Errorf("%s sets a state folder that nobody has looked at: %s", path, m[0])
			}
		}
	}
	if opened != 1 {
		t.Errorf("the state folder is opened in %d places", opened)
	}
}
