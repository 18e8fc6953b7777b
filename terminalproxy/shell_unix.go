//go:build unix

package terminalproxy

import "github.com/copilot-bridge/copilot-bridge/internal/guard"

// shellName is what the shell is called in questions and rules.
const shellName = "bash"

// bashes is where a bash is looked for, in this order.
func bashes() []string { return []string{"bash", "/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"} }

// shell is the user's bash, or the system's sh where there is none. The agent's own PATH has no say in it.
func (r *Runner) shell() (path string, isBash bool, err error) {
	for _, name := range r.bashes {
		if path, err := guard.LookPath(name, r.env, "/"); err == nil {
			return path, true, nil
		}
	}
	for _, name := range []string{"sh", "/bin/sh"} {
		if path, err = guard.LookPath(name, r.env, "/"); err == nil {
			return path, false, nil
		}
	}
	return "", false, err
}

// lineArgv has a shell run a line.
func lineArgv(shell, line string) []string { return []string{shell, "-c", line} }
