package agent

import "time"

const (
	// handshakeLimit is for initialize. Copilot CLI takes one to four seconds,
	// the longest after an update, when it unpacks 235 MB.
	handshakeLimit = 30 * time.Second

	// openLimit is for session/new, load and resume: a load replays the whole
	// history, and MCP servers may be started first.
	openLimit = 120 * time.Second

	// callLimit is for the short calls: list, close, delete, set. A prompt has
	// no limit, and neither has authenticate, which may wait for a browser.
	callLimit = 30 * time.Second

	// eofGrace is how long an agent may take to leave after its input has been
	// closed; Copilot CLI takes 0.1 s. guard.KillGrace follows, then SIGKILL.
	eofGrace = time.Second

	// brokenGrace is the same for an agent that has closed its output by itself:
	// just long enough to learn how it ended if it is ending.
	brokenGrace = 200 * time.Millisecond

	// lastWordsLimit is how long what the agent has written may take to be read
	// once it is gone. It sits in a pipe, so only a blocked Handler takes long.
	lastWordsLimit = time.Second

	// exitWait is how long a call that the end of the connection cut off waits
	// to learn how the agent ended, so that the error can say it.
	exitWait = 3 * time.Second

	// dialLimit is for connecting on loopback: it works at once or not at all.
	dialLimit = 5 * time.Second

	// stderrLines of stderrLine bytes are kept for the message about the end.
	stderrLines = 20
	stderrLine  = 1 << 10

	// stderrLogged is how much of an agent's standard error goes to the log;
	// after that only the kept lines do, when the agent ends.
	stderrLogged = 1 << 20

	// headKept is how much of what comes before the handshake is kept, to say
	// what a program printed that does not speak ACP.
	headKept = 4 << 10

	// restartWindow is how long a restart counts against an agent.
	restartWindow = time.Minute
)

// restartDelays are the pauses before the first, second … restart within
// restartWindow. The first is short, because most crashes are single; five in a
// minute are a loop that only the user can end.
var restartDelays = [...]time.Duration{
	200 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second,
}
