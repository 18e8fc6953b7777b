//go:build !race

package review

// defaultRounds is how many random interleavings a model check runs.
const defaultRounds = 20_000
