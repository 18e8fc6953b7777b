//go:build unix

package workspace

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// stampOf is the stamp of the file at path, of which fi was told, without following a link.
func stampOf(_ string, fi fs.FileInfo) stamp {
	s := stamp{size: fi.Size(), mod: fi.ModTime().UnixNano(), changed: fi.ModTime().UnixNano()}
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		s.inode = st.Ino
		s.changed = changeTime(st).UnixNano()
	}
	return s
}

// openPlain opens a file for reading without ever waiting for the other end of a pipe.
func openPlain(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_NOCTTY, 0)
}
