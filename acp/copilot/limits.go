package copilot

import "time"

const (
	// DetectTimeout is how long `copilot --version` may take. It takes 0.2 s, and some seconds when a fresh
	// installation unpacks itself.
	DetectTimeout = 15 * time.Second

	// maxVersionOutput is how much of what `--version` prints is looked at.
	maxVersionOutput = 16 << 10

	// maxHelp is how much of what `--help` prints is looked at; that of 1.0.102 has 14 KB.
	maxHelp = 256 << 10

	// newestStates is how many of the newest session folders are looked at for one that was just made, and stateFresh how
	// long after the start of its program it may have been made.
	newestStates = 10
	stateFresh   = 60 * time.Second

	// maxNotice is the longest message that is looked at for being Copilot's own.
	maxNotice = 8 << 10
	// maxShellEnd is how much of the end of a command's output is looked at for the line with its exit code.
	maxShellEnd = 1 << 10

	// sessionTimeout is how long Inspect waits for a session.
	sessionTimeout = 30 * time.Second

	// closeTimeout is how long Inspect waits for Copilot to end.
	closeTimeout = 5 * time.Second

	// maxWorkspaceFile is how much of a session's workspace.yaml, or of the first line of its log, is looked at.
	maxWorkspaceFile = 64 << 10

	// maxLogLine is the longest line of an event log that is looked at; a summary of a long session is far shorter.
	maxLogLine = 16 << 20
)
