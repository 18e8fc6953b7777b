//go:build unix

package outbound

import (
	"io"
	"syscall"

	"golang.org/x/sys/unix"
)

// writeNow returns a function that writes as much as there is room for and
// never waits, or nil if w cannot be written to like that.
func writeNow(w io.Writer) func(p []byte) int {
	c, ok := w.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return nil
	}
	return func(p []byte) (n int) {
		_ = raw.Write(func(fd uintptr) bool {
			// Somebody may have made the descriptor a blocking one meanwhile:
			// os.File.Fd does.
			flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
			if err != nil || flags&unix.O_NONBLOCK == 0 {
				return true
			}
			n, _ = unix.Write(int(fd), p) // an error comes again when the goroutine writes
			return true
		})
		return max(n, 0)
	}
}
