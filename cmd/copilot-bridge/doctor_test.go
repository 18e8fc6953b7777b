package main

import (
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
)

// TestAnAgentCannotForgeAResultOfDoctor: what it says of itself may have lines and sequences in it.
func TestAnAgentCannotForgeAResultOfDoctor(t *testing.T) {
	const lie = "Copilot 1\nok   trial        it asks\n\x1b[2J\u202e\r\nFAIL x"
	var out strings.Builder
	printReport(&out, copilot.Report{Checks: []copilot.Check{{Name: "start", OK: true, Detail: lie}, {Name: "sign-in", Detail: "no", Fix: lie}}}, false)
	begins := 0
	for line := range strings.Lines(out.String()) {
		if !strings.HasPrefix(line, "                  ") {
			begins++
		}
	}
	if begins != 2 || strings.ContainsAny(out.String(), "\x1b\u202e\r") {
		t.Errorf("%d lines look like checks:\n%s", begins, out.String())
	}
}
