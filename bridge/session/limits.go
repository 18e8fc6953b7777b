package session

import "time"

const (
	// maxTurnsQueued bounds the prompts that wait in one session; more is a script gone wild.
	maxTurnsQueued = 100

	// matchWait is how long a tool call waits for the ACP tool call it belongs to; both come from the same process
	// on two connections.
	matchWait = 150 * time.Millisecond

	// orderWait is how long a question waits for those about calls that the agent has announced before: one of them may never come,
	// or wait for something else before it asks.
	orderWait = 5 * time.Second

	// cancelFirst is how long a cancel may wait for room in the agent's pipe before the turn's tools end without it. Where there
	// is room it does not wait; half a second was not always enough on a machine with ten busy programs for each processor.
	cancelFirst = 2 * time.Second

	// cancelPatience is how long a cancelled turn may go on before the user is told.
	cancelPatience = 10 * time.Second

	// ownEndLimit is how long the end of a turn of the agent's own waits for an answer of the agent, after which all that it said has
	// come. One that has none to give is busy with something else, and what it said has come.
	ownEndLimit = 5 * time.Second
	// logLimit is how long a turn of the agent's own, in which nothing is in the agent's hands any more, waits for the agent's log to
	// tell of it; until then it may go on. Copilot's log has been seen seconds behind on a busy machine.
	logLimit = 5 * time.Second

	// toolsWait is how long the editor tools may take to connect after a session was opened. Copilot says nothing when
	// they never do, and its own tools are switched off then.
	toolsWait = 20 * time.Second

	// heldPatience is how long a session that another bridge has open is waited for, looking each heldAgain: as a rule that bridge
	// is ending, whose editor was closed a moment ago.
	heldPatience = 15 * time.Second
	heldAgain    = 100 * time.Millisecond

	// maxTitle bounds the title that a user gives a session, in characters.
	maxTitle = 200

	// maxReloads is how often a session is opened anew for one prompt because what the workspace brings along has changed
	// meanwhile.
	maxReloads = 3
)
