//go:build !race

package terminalproxy

const raceDetector = false
