// Package prompt is what an agent is sent for what the user said: their words, what they have undone since, and the unsaved text of
// the files that they name.
//
// It promises that the user's blocks are all there, in order, and that unsaved text is the editor's, in the form in which the agent
// can take it, cut at a limit with a note. It leaves to others when a prompt is sent, and how (bridge/session).
//
// A [Writer] has no state; it is used on the goroutine of a turn.
package prompt

const (
	// maxContextBytes is how much unsaved text of one file goes into a prompt; more is cut with a note, the view tool
	// has the rest.
	maxContextBytes = 64 << 10
)
