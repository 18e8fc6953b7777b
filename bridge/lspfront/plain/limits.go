package plain

import "time"

const (
	// CallLimit is how long an editor may take to answer what needs no user: a token, a configuration, a save.
	CallLimit = 10 * time.Second

	// diagnosticsDelay is how long changes of a file's diagnostics are gathered before they are published.
	diagnosticsDelay = 100 * time.Millisecond

	// reportEvery is the shortest time between two progress reports of a turn.
	reportEvery = 250 * time.Millisecond

	// transcriptEvery is the shortest time between two writes of the transcript file.
	transcriptEvery = 500 * time.Millisecond

	// MaxMessageText is how much of a text goes into one editor message; the transcript has the rest.
	MaxMessageText = 300

	// answeredPause is how long after an answer another one without an id does not count: the same key, struck twice.
	answeredPause = 500 * time.Millisecond

	// withdrawnPause is the same after a question that went away unanswered: as long as it takes to type the command, which
	// may be for that question.
	withdrawnPause = 10 * time.Second

	// questionSilence is how long a message with buttons may go unanswered until the question is a diagnostic as well. A user who
	// reads it has answered by then, and an editor that shows none is no riddle for longer.
	questionSilence = 10 * time.Second

	// maxFact is how much of one fact about a question, a folder or a variable, goes into its message, and maxFacts how many
	// of them: more cannot be read in a message, and the log has them all.
	maxFact  = 120
	maxFacts = 8

	// MaxTitle is how much of a name goes onto a button or into a menu.
	MaxTitle = 80

	// maxURL is the longest URL the user is asked to consent to; a longer one cannot be judged on a screen.
	maxURL = 2000

	// maxChoices is how many buttons a question may have; with more, editors show none that can be found.
	maxChoices = 12

	// maxRefused bounds the tool calls remembered as refused; they matter until the call's failure is shown.
	maxRefused = 1000

	// maxOutput is how much of a command's output goes into the transcript: its start and its end.
	maxOutput = 8 << 10

	// maxTokens bounds the ended turns that a late token may name.
	maxTokens = 200
)
