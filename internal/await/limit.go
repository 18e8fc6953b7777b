//go:build !e2e

package await

import "time"

// Limit is how long a test waits for what must come. Nothing takes that long unless it is broken: the slowest wait of the
// module takes 2 s alone, and five times as long beside eight busy loops on two cores.
const Limit = 25 * time.Second

// watchLimit is how long a test may stand still elsewhere. It is longer than Limit, so that the words of the test are
// heard first.
const watchLimit = 30 * time.Second
