package workspace

import (
	"errors"
	"syscall"
)

// stamp tells one state of a file from another. The times are Unix nanoseconds.
type stamp struct {
	size    int64
	mod     int64
	changed int64 // of the inode, which a program cannot set back; the same as mod where there is none
	inode   uint64
}

// isNotFolder says that a file has taken the place of one of the folders above.
func isNotFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }
