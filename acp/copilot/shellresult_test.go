package copilot

import "testing"

// TestTheExitCodeIsInTheLastLineOfAShellsResult guards that only the line that the tool adds counts, not what a command prints.
func TestTheExitCodeIsInTheLastLineOfAShellsResult(t *testing.T) {
	for text, want := range map[string]int{
		"one\ntwo\n<shellId: 0 completed with exit code 0>":     0,
		"<shellId: build completed with exit code 12>":          12,
		"x\n<shellId: 1 completed with exit code 137 (KILL)>\n": 137,
		"<shellId: 0 completed with exit code 0>\nmore":         -1,
		"x <shellId: 0 completed with exit code 0>":             -1,
		"<command started in background with shellId: 0>":       -1,
		"<shellId: 0 completed with exit code unknown>":         -1,
		"": -1,
	} {
		code, ok := ShellExit(text)
		if ok != (want >= 0) || ok && int(code) != want {
			t.Errorf("%q: %d %v, want %d", text, code, ok, want)
		}
	}
}
