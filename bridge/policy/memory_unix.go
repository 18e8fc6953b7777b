//go:build unix

package policy

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// private refuses a file that somebody else could have written.
func private(fi fs.FileInfo) error {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !fi.Mode().IsRegular() || !ok {
		return errors.New("not a regular file")
	}
	if int(st.Uid) != os.Getuid() {
		return errors.New("it belongs to another user")
	}
	if fi.Mode().Perm()&0o022 != 0 {
		return errors.New("other users may write it; make it mode 0600")
	}
	return nil
}
