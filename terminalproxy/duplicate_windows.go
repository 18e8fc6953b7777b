package terminalproxy

import (
	"os"
	"syscall"
)

// duplicate is f once more: the caller closes its own.
func duplicate(f *os.File) (*os.File, error) {
	me, err := syscall.GetCurrentProcess()
	if err != nil {
		return nil, err
	}
	var h syscall.Handle
	if err := syscall.DuplicateHandle(me, syscall.Handle(f.Fd()), me, &h, 0, false, syscall.DUPLICATE_SAME_ACCESS); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(h), f.Name()), nil
}
