//go:build !race

package store

// slack widens time limits where the race detector slows everything; here a little for a busy machine.
const slack = 3
