package policy

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// private refuses what is no file; who may write it is up to the folder's access list.
func private(fi fs.FileInfo) error {
	if !fi.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	return nil
}

// lockFile holds an exclusive lock until it is released, or until the process dies.
func lockFile(path string) (release func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &windows.Overlapped{}); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

// syncFolder has nothing to do: NTFS journals renames.
func syncFolder(string) error { return nil }
