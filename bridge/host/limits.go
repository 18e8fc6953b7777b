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
)
