//go:build unix

package terminalproxy

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// signalNumber is the number of a signal's name, 0 if it has none.
func signalNumber(name string) int {
	if n := unix.SignalNum(name); n != 0 {
		return int(n)
	}
	n := 0
	_, _ = fmt.Sscanf(name, "SIG%d", &n) // how a signal without a name is called
	return n
}
