package copilot

import "time"

const (
	// DetectTimeout is how long `copilot --version` may take. It takes 0.2 s, and some seconds when a fresh
	// installation unpacks itself.
	DetectTimeout = 15 * time.Second

	// maxVersionOutput is how much of what `--version` prints is looked at.
	maxVersionOutput = 16 << 10

	// maxNotice is the longest message that is looked at for being Copilot's own.
	maxNotice = 8 << 10

	// sessionTimeout is how long Inspect waits for a session.
	sessionTimeout = 30 * time.Second

	// closeTimeout is how long Inspect waits for Copilot to end.
	closeTimeout = 5 * time.Second

	// maxWorkspaceFile is how much of a session's workspace.yaml, or of the first line of its log, is looked at.
	maxWorkspaceFile = 64 << 10

	// maxLogLine is the longest line of an event log that is looked at; a summary of a long session is far shorter.
	maxLogLine = 16 << 20
)
