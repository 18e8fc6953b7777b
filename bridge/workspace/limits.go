package workspace

import "time"

const (
	// BeforeBudget is how long a command may be held up by the look before it.
	BeforeBudget = 150 * time.Millisecond

	// ImageBudget is how many bytes of file contents are kept to tell and undo what a command changes.
	ImageBudget = 64 << 20

	// MaxImage is the largest single file that is kept: a diff of more is of no use to anybody.
	MaxImage = 4 << 20

	// AfterLimit bounds the look after a command; a folder of a million files takes some seconds.
	AfterLimit = 5 * time.Second

	// maxIgnoreFile is the largest .gitignore that is read.
	maxIgnoreFile = 1 << 20

	// clockSlack is how far the time a file system writes into a file may lag behind the clock (a kernel tick).
	clockSlack = 12 * time.Millisecond
)
