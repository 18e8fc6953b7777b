//go:build unix

package guard

import (
	"os"
	"strconv"
	"syscall"
)

// closeOnExecEach marks the descriptors that dir lists one by one.
func closeOnExecEach(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}
