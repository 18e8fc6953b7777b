package lspfront

import (
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge"
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
		c := new(config)
		c.set([]byte(options), nil)
		var cfg bridge.Config
		c.apply(&cfg)
		if w := c.takeWarnings(); cfg.Trials != want || len(w) > 0 {
			t.Errorf("%s: trials %v, want %v; warned %q", options, cfg.Trials, want, w)
		}
	}
}
