package durable

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// private: a user's folders are private by inheritance; the mode bits say nothing.
func private(fs.FileMode) bool { return true }

// ours: whom a file belongs to says little on Windows, where administrators own what they make together.
func ours(fs.FileInfo) bool { return true }

// The access lists of a user's folders are those of the profile.
func roots(fs.FileInfo) bool          { return true }
func othersWrite(fs.FileInfo) bool    { return false }
func ownGroupWrites(fs.FileInfo) bool { return true }

// SyncDir makes what happened to the names in a folder last; NTFS journals its names itself.
func SyncDir(string) error { return nil }

// lockAt is the byte that is locked: far behind what is in the file, because on Windows a locked byte cannot be read
// by those who want to know who holds the lock.
const lockAt = 1 << 30

func lock(name string, wait bool) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	flags := uint32(windows.LOCKFILE_EXCLUSIVE_LOCK)
	if !wait {
		flags |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	if err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{Offset: lockAt}); err != nil {
		f.Close()
		if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
			return nil, ErrHeld
		}
		return nil, &os.PathError{Op: "lock", Path: name, Err: err}
	}
	return f, nil
}

// unlock has nothing to do: children get no copies of files here.
func unlock(*os.File) {}
