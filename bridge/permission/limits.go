package permission

import "time"

const (
	// nameBudget is how long the folders of a session are searched for links to a file before a decision about it, and
	// maxNamedFolders how many of them; then the file asks. What was read is kept, so the next search gets further: 1,000
	// folders take 2 ms then, 10,000 some 30 ms.
	nameBudget      = 2 * time.Second
	maxNamedFolders = 200_000

	// maxPointer is the longest file that names a folder to git: a path.
	maxPointer = 4 << 10

	// maxLinkEntries and linkBudget bound the search for the hard links of a file that has several: 50,000 entries take
	// about 100 ms.
	maxLinkEntries = 50_000
	linkBudget     = 500 * time.Millisecond

	// maxProgram is the largest file of the workspace that a remembered command may run; it is read for each question.
	maxProgram = 32 << 20

	// maxNamedFiles is how much of the files that a command's words name is read for a question; with more of it the command
	// would wait.
	maxNamedFiles = 64 << 20

	// maxSpelled is how many words that look like others, or are links, a question spells out; one is enough for a look at all.
	maxSpelled = 10

	// maxBlank is how many blanks in a row a command may hold before a question points it out.
	maxBlank = 8

	// maxSchemaText and maxSchemas bound the search for addresses in a new text.
	maxSchemaText = 1 << 20
	maxSchemas    = 20

	// maxHunks is how many parts of a change can be chosen one by one; nobody picks among more, and each is sent with
	// its text beside the whole. A change of more is a yes or a no.
	maxHunks = 1_000

	// maxLeftOut is how much text of what the user left out is told to the model: what fits into a tool's result.
	maxLeftOut = 12 << 10

	// amendContext is how many lines around a place that the user changed the model is shown.
	amendContext = 2

	// callPathsBudget is how long the files of one question may be looked at, their other names included; then it is refused.
	callPathsBudget = 5 * time.Second

	// maxCommandWords and maxCommandBytes bound a command with its variables. Each word and each variable is a part of the
	// question, which editors draw as a whole; Linux takes no word of more than 128 KiB.
	maxCommandWords = 5_000
	maxCommandBytes = 512 << 10

	// maxShownInput is how much of an input that is not understood a question shows, its beginning and its end: some screens.
	maxShownInput = 4 << 10

	// maxAskedTexts bounds the texts of files that a question of the agent's compares with what it shows; real ones show a
	// few files.
	maxAskedTexts = 32 << 20

	// maxAskedRead is how long a question of the agent's waits for what the editor has of a file of which the agent shows
	// another picture than the disk; editors answer within milliseconds.
	maxAskedRead = time.Second

	// maxOpenQuestions is how many requests of one session may wait for the user, or be made ready for them, at the same time.
	// Agents that work on several things at once ask about some ten; nobody answers a hundred with care.
	maxOpenQuestions = 100

	// maxAskedAgain is how often something is asked about that keeps becoming another thing while it is.
	maxAskedAgain = 3

	// maxOptions is how many options an agent's question may have. Agents offer two to five; among more, the one that the user
	// looks for cannot be found.
	maxOptions = 16

	// maxOptionName is how much of an option's own name is quoted to the user.
	maxOptionName = 80

	// maxChangedFiles is how many files one question shows; a rename over more is nothing that anybody looks through.
	maxChangedFiles = 500
)
