//go:build race

package review

// defaultRounds under the race detector, which has nothing to find in a check that
// runs on one goroutine and makes it ten times slower.
const defaultRounds = 1_000
