package wire

import "time"

const (
	// maxHeld is how long a request of the agent may keep what the agent sent after it from the editor. What is asked of
	// the editor is asked within milliseconds.
	maxHeld = time.Second

	// maxWaiting and maxWaitingBytes bound the messages that wait for an editor that does not read as fast as the agent
	// writes, where they must not be merged; the agent then waits as if it wrote to the editor itself.
	maxWaiting      = 512
	maxWaitingBytes = 256 << 10
)
