// Package minigo runs the tests of a Go file of a few lines on a machine that has no Go: for the demo.
//
// It knows constants and variables of type int, calls of the file's own functions, the operators of ints, if, return, assignments,
// and (*testing.T).Errorf. What it does not know is an error that says so and where; it never guesses. The file must mean the same
// to the real Go.
package minigo

// Bounds of a run, so that a wrong file ends it.
const (
	maxSteps = 100_000 // statements
	maxDepth = 200     // calls within calls
)
