package tracking

import "time"

const (
	// vanishedTime and maxVanishedNames bound the search for a file with pending changes that another program moved: somebody
	// waits for the list of changes meanwhile.
	vanishedTime     = time.Second
	maxVanishedNames = 50_000
)
