package terminalproxy

import "github.com/copilot-bridge/copilot-bridge/internal/guard"

// shellName is what the shell is called in questions and rules.
const shellName = "cmd"

// bashes is empty: what is called bash on Windows is one of several systems inside the system, with other paths.
func bashes() []string { return nil }

// shell is the system's own cmd.exe, by its full path: neither PATH nor the working folder has a say in it.
func (r *Runner) shell() (path string, isBash bool, err error) {
	path, err = guard.System("cmd.exe")
	return path, false, err
}

// lineArgv has a shell run a line: /d skips what the registry would run first, /s takes the line as it is.
func lineArgv(shell, line string) []string { return []string{shell, "/d", "/s", "/c", line} }
