//go:build race

package terminalproxy

// raceDetector is true where memory is not what it would be.
const raceDetector = true
