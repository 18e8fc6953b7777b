package terminalproxy

import (
	"fmt"
	"os"
)

// openOutput makes what a command's two outputs are: a pipe, or a pseudo-terminal where the user watches and the system
// has one.
func (r *Runner) openOutput() (out, in *os.File, err error) {
	if r.cfg.TTY {
		out, in, err = openTTY()
		if err == nil {
			return out, in, nil
		}
		r.cfg.Log.Warn().Err(err).Msg("no pseudo-terminal; the command gets a pipe")
	}
	out, in, err = os.Pipe()
	if err != nil {
		return nil, nil, fmt.Errorf("open a pipe for the command's output: %w", err)
	}
	return out, in, nil
}

// forTTY is env for commands that write to a terminal without a keyboard: one that has colours, and no pager, which
// would wait for a key for ever.
func forTTY(env []string) []string {
	var e environment
	e.add(env)
	if t := e.values["TERM"]; t == "" || t == "dumb" {
		e.set("TERM", "xterm-256color")
	}
	for _, name := range []string{"PAGER", "GIT_PAGER", "MANPAGER", "SYSTEMD_PAGER"} {
		e.set(name, "cat")
	}
	return e.list()
}
