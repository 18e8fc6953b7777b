package canary

import "time"

const (
	// Limit is how long a whole trial may take. It takes about 6 s at the lowest priority on two cores; a fresh
	// installation unpacks itself first.
	Limit = 90 * time.Second

	// closeLimit is how long the agent may take to end before it is killed.
	closeLimit = 2 * time.Second

	// maxRequest bounds a request to the scripted model: Copilot's own prompt and its tools are some 100 KB.
	maxRequest = 8 << 20

	// maxHeader bounds its header.
	maxHeader = 64 << 10

	// maxKept is how many versions are remembered; the oldest go.
	maxKept = 100

	// maxKeptFile is the largest file of verdicts that is read.
	maxKeptFile = 1 << 20
)
