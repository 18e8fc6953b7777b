package host

import (
	"time"

	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

const (
	// maxAskOther is the longest answer in words of the user's own (bytes) that a question of the agent's takes.
	maxAskOther = 8 << 10

	// maxGrepLines and maxGrepFiles bound what a search keeps. A result of 20 KB shows some hundred lines; what is
	// over it is counted, and a search for "." in a large tree must not hold the tree.
	maxGrepLines = 20_000
	maxGrepFiles = 20_000

	// maxGrepAsked is for how many files with matches a search asks an editor that does not tell of its buffers.
	maxGrepAsked = 50

	// maxPattern is the longest regular expression of a search, and maxMatchSteps how much of it, its instructions times the
	// bytes of a file, is done at once, some seconds; what takes more looks whether it is still wanted.
	maxPattern    = 4 << 10
	maxMatchSteps = 250_000_000

	// maxGlobFound bounds what a search for names keeps.
	maxGlobFound = 20_000

	// maxGlobs is how many alternatives the braces of one glob may have. They multiply, so a short glob can have millions.
	maxGlobs = 200

	// maxFolderNames is how many names of a folder are shown; more do not fit into a result.
	maxFolderNames = 2_000

	// maxStarted and maxStartedSize bound what is kept of the disk for files that the agent has asked about in a turn, so that
	// its write can be merged. An agent asks about a few; a text over the limit is merged from what is known otherwise.
	maxStarted     = 64
	maxStartedSize = 1 << 20

	// reconcileAtOnce is how many changes of a command are put on record at the same time; they share the wait for the
	// disk.
	reconcileAtOnce = 32

	// maxRestFolders is how many folders one line names in which more control files have changed.
	maxRestFolders = 8

	// languageLimit is how long language servers may take to answer. Real ones answer within a second, and within some more while they
	// load a workspace; the model can use grep meanwhile.
	languageLimit = 10 * time.Second

	// placesRoom is how much of an answer places take; the rest is for the lines that say what was left out.
	placesRoom = tools.MaxResult - 512

	// maxLanguageLine, maxLanguageName and maxLanguageError are how much is shown of a line, of a name of the model's own, and of what a
	// server says that it failed.
	maxLanguageLine  = 400
	maxLanguageName  = 80
	maxLanguageError = 300

	// maxOutlineDepth is how deep symbols are nested that are shown: no program has a tenth of it.
	maxOutlineDepth = 100

	// maxActions is how many code actions are listed; editors offer some ten.
	maxActions = 100

	// maxEditedText bounds the text of all files that the edit of a language server is made in, before anybody is asked.
	maxEditedText = 32 << 20

	// maxPlanned is how many files such an edit names at most, and maxNamedFiles how many of them an answer lists.
	maxPlanned    = 1_000
	maxNamedFiles = 20

	// feedbackLimit is how long an edit waits for the language servers to speak about it, and feedbackOthers how long for what they say
	// of other files when they have spoken about the file itself: gopls looks at other packages a second after the last change.
	feedbackLimit  = 2 * time.Second
	feedbackOthers = 1500 * time.Millisecond

	// feedbackPoll is how often the editor is asked meanwhile.
	feedbackPoll = 150 * time.Millisecond

	// maxFeedback is how many errors an edit's result tells; who breaks more reads them with the diagnostics tool.
	maxFeedback = 20
)
