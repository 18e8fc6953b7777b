//go:build unix

package policy

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
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

// lockFile holds an exclusive lock until it is released, or until the process dies.
func lockFile(path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

// syncFolder makes a rename in a folder last.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
