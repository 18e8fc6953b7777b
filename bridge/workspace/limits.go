package workspace

import "time"

const (
	// BeforeBudget is how long the look before a command takes at most; with what is around it a command may start 150 ms
	// later.
	BeforeBudget = 140 * time.Millisecond

	// beforeAlways is how many entries it looks at in any case: some milliseconds of an idle machine.
	beforeAlways = 64

	// ImageBudget is how many bytes of file contents are kept to tell and undo what a command changes.
	ImageBudget = 64 << 20

	// MaxImage is the largest single file that is kept: a diff of more is of no use to anybody.
	MaxImage = 4 << 20

	// MaxFiles is how many files are known one by one, some 200 bytes each. What changes among the rest is found by its
	// times, without its text before.
	MaxFiles = 250_000

	// cloneSize is from which size on a file is cloned where the file system can, rather than read; maxClones is how many
	// clones there are, each of which is an open file.
	cloneSize = 64 << 10
	maxClones = 512

	// AfterBudget is how many bytes of contents are read after a command; what else has changed is listed without them.
	AfterBudget = 64 << 20

	// AfterLimit bounds the look after a command; a folder of a million files takes some seconds.
	AfterLimit = 5 * time.Second

	// folderBatch is how many entries of a folder are read at once: a folder of a million must not hold a walk up.
	folderBatch = 4096

	// maxAlso bounds the entries of one folder of which the contents are known although git ignores it; such folders are
	// small. What has changed in the rest is found by its times.
	maxAlso = 1_000

	// maxLeftOutFolders bounds the folders that git ignores in which changes are looked for: some ten times those of a large
	// node_modules. More are not searched, which is said.
	maxLeftOutFolders = 200_000

	// maxLeftOutTold is how many changes in such folders are told one by one. A package manager makes hundreds; the rest is
	// counted.
	maxLeftOutTold = 10

	// maxListings bounds the folders whose listing is kept, some 300 bytes each.
	maxListings = maxLeftOutFolders

	// listingSettles is how old the last change of a folder must be before its times tell of the next one: some file systems
	// count in steps of two seconds.
	listingAge = 2 * time.Second

	// maxOdd bounds the links and pipes at names that count, and the changes in folders that git ignores that are not told
	// again.
	maxOdd = 10_000

	// maxIgnoreFile is the largest .gitignore that is read.
	maxIgnoreFile = 1 << 20

	// maxGitConfig is the largest configuration of a repository that is read; it grows with the branches.
	maxGitConfig = 1 << 20

	// maxIgnoreLine is the longest pattern: one that is longer than any path matches none.
	maxIgnoreLine = 4096

	// maxGitIndex is the largest index of git that is read, some half a million files; in a larger repository tracked files
	// that are ignored as well go unnoticed.
	maxGitIndex = 64 << 20

	// maxGitIncludes is how many files are read for one configuration with all that it includes.
	maxGitIncludes = 100

	// clockSlack is how far the time a file system writes into a file may lag behind the clock (a kernel tick).
	clockSlack = 12 * time.Millisecond
)
