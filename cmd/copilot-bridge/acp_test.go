package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// TestTheFileOfRulesIsWatchedOver: the bridge is told where its rules are from, also where the file is named from the folder it is
// started in.
func TestTheFileOfRulesIsWatchedOver(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("rules.json", []byte(`[{"tool":"shell","command":"go test *","decision":"allow"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	var cfg bridge.Config
	if err := useRules(&cfg, "rules.json"); err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(here, "rules.json"); cfg.RulesFile != want || len(cfg.Rules) != 1 {
		t.Errorf("%q with %d rules, want %q", cfg.RulesFile, len(cfg.Rules), want)
	}
}
