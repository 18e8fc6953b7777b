package lspfront

import (
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// TestTrialsAreSwitchedOffUnderBothNames: the setting had another name, which counts where the new one is not set.
func TestTrialsAreSwitchedOffUnderBothNames(t *testing.T) {
	for options, want := range map[string]bool{
		`{}`:                                true,
		`{"permission": {"trial": false}}`:  false,
		`{"permission": {"canary": false}}`: false,
		`{"permission.canary": false}`:      false,
		`{"permission": {"trial": true, "canary": false}}`: true,
		`{"permission": {"trial": false, "canary": true}}`: false,
	} {
		c := newConfig(bridge.Config{})
		c.set([]byte(options), nil)
		if got, w := c.bridge().Trials, c.takeWarnings(); got != want || len(w) > 0 {
			t.Errorf("%s: trials %v, want %v; warned %q", options, got, want, w)
		}
	}
}

// TestTheLanguageToolsAreSwitchedOffOneByOne: all of them, or those that a list leaves out.
func TestTheLanguageToolsAreSwitchedOffOneByOne(t *testing.T) {
	for options, want := range map[string]int{
		`{}`:                            len(tools.LanguageTools),
		`{"tools": {"language": true}}`: len(tools.LanguageTools),
		`{"tools.language": false}`:     0,
		`{"tools": {"language": []}}`:   0,
		`{"tools": {"language": ["rename", "hover", "rename"]}}`: 2,
	} {
		c := newConfig(bridge.Config{})
		c.set([]byte(options), nil)
		cfg := c.bridge()
		if w := c.takeWarnings(); cfg.Tools.Language.Len() != want || !cfg.Feedback || len(w) > 0 {
			t.Errorf("%s: %d tools, feedback %v; warned %q", options, cfg.Tools.Language.Len(), cfg.Feedback, w)
		}
	}
	for _, options := range []string{`{"tools.language": "rename"}`, `{"tools.language": ["view"]}`, `{"tools.language": 1}`, `{"tools.feedback": 1}`} {
		c := newConfig(bridge.Config{})
		c.set([]byte(options), nil)
		if len(c.takeWarnings()) != 1 {
			t.Errorf("%s: no warning", options)
		}
	}
	c := newConfig(bridge.Config{})
	c.set([]byte(`{"tools": {"feedback": false}}`), nil)
	if c.bridge().Feedback {
		t.Error("the feedback is on")
	}
}
