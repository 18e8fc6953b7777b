//go:build unix

package peercred

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Ours says whether a file belongs to this user.
func Ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// IsDoor says whether a file, not followed if it is a link, can be what [Listen] has made.
func IsDoor(info fs.FileInfo) bool { return info.Mode().Type() == fs.ModeSocket }

// Refused says whether nobody listens at a door that is there.
func Refused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
