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

// Refused says whether nobody listens on a socket that is there.
func Refused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
