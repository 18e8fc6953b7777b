//go:build unix

package durable

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

func private(m fs.FileMode) bool { return m.Perm()&0o077 == 0 }

// ours says whether a file belongs to the user that we are.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) == os.Geteuid()
}

// roots says whether a file is the system's: anyone who is root needs no state folder to do harm.
func roots(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Uid == 0
}

func othersWrite(info fs.FileInfo) bool { return info.Mode().Perm()&0o022 != 0 }

// ownGroupWrites says whether the others who may write are the user's own group of the same number, which has nobody else
// in it: on many systems folders are made so.
func ownGroupWrites(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode().Perm()&0o002 == 0 && st.Uid == st.Gid && int(st.Uid) == os.Geteuid()
}

// SyncDir makes what happened to the names in a folder last.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

func lock(name string, wait bool) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	how := unix.LOCK_EX
	if !wait {
		how |= unix.LOCK_NB
	}
	err = unix.Flock(int(f.Fd()), how)
	for errors.Is(err, unix.EINTR) {
		err = unix.Flock(int(f.Fd()), how)
	}
	if err != nil {
		f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, ErrHeld
		}
		return nil, &os.PathError{Op: "lock", Path: name, Err: err}
	}
	return f, nil
}

// unlock cannot fail for a file that is locked.
func unlock(f *os.File) { _ = unix.Flock(int(f.Fd()), unix.LOCK_UN) }
