//go:build race

package store

// slack widens time limits where the race detector slows everything.
const slack = 10
