// Command copilot-bridge stands between an editor and a coding agent: the agent reads what is in the editor's buffers,
// asks before it changes or runs anything, and what it changes can be kept or undone hunk by hunk.
package main

import (
	"context"
	"os"
	"runtime/debug"

	"github.com/copilot-bridge/copilot-bridge/internal/guard"
)

// Exit codes (docs/dev/protocol.md).
const (
	exitOK      = 0
	exitFailed  = 1
	exitUsage   = 2
	exitUnasked = 3 // a question was answered no, because there was no terminal to ask at
)

// gcPercent is a third of the usual headroom: an editor's helper is to stay small. 300,000 updates in 30 s for an editor
// that hardly reads stay under 100 MB with it and not without, for the same fraction of a percent of a core.
const gcPercent = 35

func main() {
	guard.CloseOnExec() // what the editor left open is not for the agent
	if len(os.Args) > 1 && os.Args[1] == "guard" {
		os.Exit(guard.Main(os.Args[2:]))
	}
	debug.SetGCPercent(gcPercent)
	os.Exit(exitCode(os.Stderr, run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)))
}
