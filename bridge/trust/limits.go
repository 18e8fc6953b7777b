package trust

import "time"

const (
	// Limit is how long a whole trial may take. It takes about 6 s at the lowest priority on two cores; a fresh
	// installation unpacks itself first.
	Limit = 90 * time.Second

	// Quiet is how long nothing may have run before a new version of the agent is tried beside it: the user reads the
	// answer then, and starts nothing that a second Copilot would slow down.
	Quiet = 10 * time.Second

	// closeLimit is how long the agent may take to end before it is killed.
	closeLimit = 2 * time.Second

	// maxKept is how many versions are remembered; the oldest go.
	maxKept = 100

	// maxKeptFile is the largest file of verdicts that is read.
	maxKeptFile = 1 << 20
)
