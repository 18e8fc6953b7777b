package conversation

import "time"

const (
	// maxRun is how many bytes of adjacent text are one item: ends are 32-bit, and a copy when the run grows stays cheap.
	maxRun = 1 << 20

	// maxRunOnDisk is the same where the conversation is on disk only.
	maxRunOnDisk = 64 << 10

	// maxGap is by how much an update's number may have gone on behind a damaged place; no log that fits a disk has more.
	maxGap = 1 << 32

	// maxUnsure is how many bytes of a conversation that is on disk only may be on their way there before it is waited for.
	maxUnsure = 512 << 10

	// runDelay is how long a run of text chunks waits for more of them before the store gets it.
	runDelay = 100 * time.Millisecond

	// MaxSummary is how much of a session that the agent has lost goes into the next prompt: some thousand tokens.
	MaxSummary = 16 << 10

	// maxLost is how many prompts that the agent has not answered a conversation remembers, to send them again.
	maxLost = 20

	// maxLinks is how many places of a tool call, or hunks of a file, the transcript links; more are no help to a reader.
	maxLinks = 20
)
