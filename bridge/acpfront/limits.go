package acpfront

import "time"

const (
	// closeLimit is how long the end may take before the process ends all the same.
	closeLimit = 4 * time.Second

	// cancelAgain is when a session/cancel of a turn that is being cancelled already means that the agent does not obey
	// it, and is to be ended. Editors send a second one for an impatient key.
	cancelAgain = 10 * time.Second

	// queueLimit is how much may wait for an editor that does not read. The agent waits then, as it would without the
	// bridge; more would only be memory.
	queueLimit = 128 << 10

	// maxScreens is of how many terminals the output is kept for an editor that has none, and maxScreen how much of each, in bytes.
	maxScreens = 100
	maxScreen  = 32 << 10

	// maxReviewShown is how much of the pending changes /review shows, in bytes.
	maxReviewShown = 64 << 10

	// heldLimit is how many messages may come before the answer to initialize. Editors that do not wait send one or two.
	heldLimit = 100
)
