//go:build e2e

package await

import "time"

// Limit and watchLimit where real agents are waited for: a first start unpacks 235 MB, on a machine that builds meanwhile.
const (
	Limit      = 90 * time.Second
	watchLimit = 100 * time.Second
)
