//go:build unix

package terminalproxy

import (
	"os"
	"syscall"
)

// duplicate is f once more: the caller closes its own.
func duplicate(f *os.File) (*os.File, error) {
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	return os.NewFile(uintptr(fd), f.Name()), nil
}
