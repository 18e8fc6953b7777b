package workspace

import (
	"io/fs"
	"os"
	"syscall"
	"time"
)

func stampOf(fi fs.FileInfo) stamp {
	return stamp{size: fi.Size(), mod: fi.ModTime().UnixNano(), changed: fi.ModTime().UnixNano()}
}

func openPlain(path string) (*os.File, error) { return os.Open(path) }

// born is when a file was made.
func born(_ string, fi fs.FileInfo) time.Time {
	if d, ok := fi.Sys().(*syscall.Win32FileAttributeData); ok {
		return time.Unix(0, d.CreationTime.Nanoseconds())
	}
	return time.Time{}
}
