package tracking

import "time"

const (
	// vanishedTime and maxVanishedNames bound the search for a file with pending changes that another program moved: somebody
	// waits for the list of changes meanwhile.
	vanishedTime     = time.Second
	maxVanishedNames = 50_000

	// maxConcurrentLooks is how many may look at the disk at once; more than ever do.
	maxConcurrentLooks = 1 << 20

	// maxLooks is how often a file is read again because the book has recorded something meanwhile, of this file or another.
	maxLooks = 8
)
