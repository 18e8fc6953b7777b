package program

import "time"

const (
	// LeastLimit is the smallest context window that is believed of an error text, in tokens.
	LeastLimit = 256

	// ToolClip is how much of a tool's arguments or result goes into the transcript, in bytes: what it did, not all of
	// what it said.
	ToolClip = 2 << 10

	// maxLine is the longest line of JSON output that is read, in bytes; a longer one is skipped.
	maxLine = 16 << 20

	// maxAnswer is how much a program may print in a turn, in bytes. What says more has run wild and is ended.
	maxAnswer = 32 << 20

	// maxStray is how much is kept of what a program prints beside its answer, in bytes: enough for an error's text.
	maxStray = 16 << 10

	// maxToolResult is how much of a tool's result the editor is shown, in bytes.
	maxToolResult = 64 << 10

	// maxOpenCalls bounds the tool calls that are open at a time.
	maxOpenCalls = 1_000

	// interruptGrace is how long a program may take to leave after an interrupt (Copilot CLI 1.0.102: 90 ms), before it is
	// terminated with all below it.
	interruptGrace = time.Second

	// finishedGrace is how long a program may take to leave after its last event (Copilot CLI 1.0.102: 50 ms, but now and
	// then it stays).
	finishedGrace = 5 * time.Second

	// drainLimit is how long the last output of an ended program may take to be read.
	drainLimit = 2 * time.Second

	// maxSentence is how much of an error's text is shown, in bytes.
	maxSentence = 1 << 10
)
