package model

import "time"

const (
	// maxRequest bounds a request: Copilot's own prompt and its tools are some 100 KB.
	maxRequest = 8 << 20

	// maxHeader bounds its header.
	maxHeader = 64 << 10

	// headerLimit is how long a client may take to send a header, on a machine that is busy.
	headerLimit = 10 * time.Second

	// requestLimit is how long a request may take, and the answer to it may be held: longer than a test waits.
	requestLimit = 5 * time.Minute
)
