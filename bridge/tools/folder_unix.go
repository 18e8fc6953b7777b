//go:build unix

package tools

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// ours says whether a file belongs to this user.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

func refused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
