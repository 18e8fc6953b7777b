package workspace

import "time"

// stamp tells one state of a file from another.
type stamp struct {
	size    int64
	mod     time.Time
	changed time.Time // of the inode, which a program cannot set back; the same as mod where there is none
	inode   uint64
}
