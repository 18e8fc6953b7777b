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
		c := newConfig(bridge.Config{})
		c.set([]byte(options), nil)
		if got, w := c.bridge().Trials, c.takeWarnings(); got != want || len(w) > 0 {
			t.Errorf("%s: trials %v, want %v; warned %q", options, got, want, w)
		}
	}
}
