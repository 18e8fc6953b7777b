//go:build !unix

package outbound

import "io"

// writeNow is not possible here: everything goes through the queue.
func writeNow(io.Writer) func(p []byte) int { return nil }
