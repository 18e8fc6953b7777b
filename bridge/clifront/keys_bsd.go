//go:build unix && !linux

package clifront

import "golang.org/x/sys/unix"

// flushTermios also throws away what was typed and not read.
const getTermios, setTermios, flushTermios = unix.TIOCGETA, unix.TIOCSETA, unix.TIOCSETAF
