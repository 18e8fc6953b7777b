package terminalproxy

import "time"

const (
	// DefaultOutputLimit is kept of a terminal's output when the agent names no limit: what the user would scroll
	// through, and more than any model reads.
	DefaultOutputLimit = 1 << 20
	// MaxOutputLimit is the most an agent can ask for. kimi-code asks for exactly this.
	MaxOutputLimit = 4 << 20

	// MaxTerminals is how many terminals one session, MaxTerminalsInAll how many all sessions may hold: an agent that
	// forgets to release them gets an error it can act on, not a machine without processes.
	MaxTerminals      = 32
	MaxTerminalsInAll = 128

	// KeptTerminals is how many released terminals a session still has the output of, KeptBytes how much that is
	// at most: a tool call goes on showing its terminal after the agent has released it.
	KeptTerminals = 32
	KeptBytes     = 8 << 20

	// maxForeign and KeptForeign bound what is kept of terminals that an agent runs itself: what tool calls of a session have
	// shown lately.
	maxForeign  = 32
	KeptForeign = 256 << 10

	// EventBytes is the most text in one live event, EventEvery the least time between two of them: the user
	// sees no more than 20 changes a second, and 5 MB/s is faster than an editor draws.
	EventBytes = 256 << 10
	EventEvery = 50 * time.Millisecond

	// liveWindow is kept of the output even if the agent wants less, for the user who watches.
	liveWindow = 64 << 10

	// ttyRows and ttyColumns are the size of a pseudo-terminal: no editor tells the size of its view.
	ttyRows, ttyColumns = 40, 120

	// readSize is what is read from a command at once, the size of a pipe on Linux.
	readSize = 64 << 10
	// blockSize is the grain in which output is kept; firstBlock is enough for most commands.
	blockSize  = 32 << 10
	firstBlock = 4 << 10

	// drainQuiet and drainLimit bound the wait for output that comes after the end of a command, through a
	// process it left behind (`exec > >(tee log)`): a moment of silence, or a process that never stops writing.
	drainQuiet = 40 * time.Millisecond
	drainLimit = 200 * time.Millisecond
	// pipeBytes is more than a pipe holds: when so much was read after the end of a command, all of the
	// command's own output is there.
	pipeBytes = 1 << 20

	// closeWait bounds the wait for the end of file after everything that could write was killed.
	closeWait = time.Second
)

// Of the shell tools.
const (
	// DefaultInitialWait and MaxWait are Copilot's own: how long a sync command is waited for.
	DefaultInitialWait = 30 * time.Second
	MaxWait            = 600 * time.Second

	// MaxShellResult is the most bytes of UTF-8 a shell tool answers with. Copilot hides a tool result of more than
	// 20,480 bytes from the model; the rest is for what it wraps the result in.
	MaxShellResult = 19_900
	// shellHead is how much of that is the beginning of a long output; the end says more, so it gets the rest.
	shellHead = 6 << 10

	// MaxShells is how many shells of a session keep their folder and environment, maxGone how many ids it
	// remembers only to say what became of them.
	MaxShells = 64
	maxGone   = 256
	// maxLeftovers is how many finished commands may have left processes behind (`server &`) that are still
	// looked after; the oldest then end.
	maxLeftovers = 32
	// maxState bounds what a command can hand on as the environment of the next. Linux passes no more than 2 MiB.
	maxState = 1 << 20
	// maxListed bounds a command in list_bash.
	maxListed = 200
)
