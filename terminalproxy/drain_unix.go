//go:build unix

package terminalproxy

import (
	"os"

	"golang.org/x/sys/unix"
)

// readNow reads what is in the pipe without waiting. more is false when there was nothing, or never will be.
func readNow(f *os.File, buf []byte) (n int, more bool) {
	c, err := f.SyscallConn()
	if err != nil {
		return 0, false
	}
	var rerr error
	err = c.Read(func(fd uintptr) bool {
		for {
			n, rerr = unix.Read(int(fd), buf)
			if rerr != unix.EINTR {
				return true
			}
		}
	})
	if err != nil || rerr != nil || n <= 0 {
		return 0, false
	}
	return n, true
}
