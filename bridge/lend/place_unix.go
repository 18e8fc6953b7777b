//go:build unix

package lend

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

// closed says that nobody but its owner can enter a folder.
func closed(info fs.FileInfo) bool { return info.Mode().Perm()&0o077 == 0 }

func isSocket(info fs.FileInfo) bool { return info.Mode().Type() == fs.ModeSocket }

func refused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
