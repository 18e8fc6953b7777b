package host

const (
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
)
