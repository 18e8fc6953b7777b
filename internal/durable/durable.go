// Package durable has the few system calls that decide what is still there after a crash: the lock that dies with its
// process, the sync of a folder, the replacement of a whole file, the log of records of which the whole ones are found
// again.
//
// It leaves to others what is in the files. Two rules must stay true: a name never stands for half a file, and a lock
// is free the moment its holder is gone, however it went.
package durable

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrHeld says that another process holds a lock.
var ErrHeld = errors.New("held by another process")

// MakePrivate makes a folder that only we can use, or makes sure that it is one. A folder of another user's is an error:
// what is in it could be theirs, and what we put into it would be.
func MakePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !ours(info) {
		return fmt.Errorf("%s belongs to another user; remove it, or choose another folder with XDG_STATE_HOME", dir)
	}
	if private(info.Mode()) {
		return nil
	}
	return os.Chmod(dir, 0o700)
}

// Held is a lock that is held, and the file that it is on.
type Held struct{ *os.File }

// Lock takes the lock that a file stands for, until it is closed or the process ends: [ErrHeld]. The file is made if it
// is not there; what is in it is the caller's.
func Lock(name string) (*Held, error) { return take(name, false) }

// LockWait is Lock, but waits for the holder: it is for locks that are held only while a file is read and replaced, and
// not for a goroutine that the editor or the agent waits for.
func LockWait(name string) (*Held, error) { return take(name, true) }

func take(name string, wait bool) (*Held, error) {
	f, err := lock(filepath.Clean(name), wait)
	if err != nil {
		return nil, err
	}
	return &Held{f}, nil
}

// Close gives the lock up. Closing the file alone would not: a child process that is just being started has a copy of it
// until it runs its program, and the lock is the copy's too.
func (h *Held) Close() error {
	unlock(h.File)
	return h.File.Close()
}

// Save replaces a file by one that is whole and on disk. The folder is not synced: after a power cut the old file may
// be back.
func Save(name string, data []byte) error { return replace(name, data, (*os.File).Sync) }

// Replace replaces a file by one that is whole, for what can be made again: after a power cut the new file may be empty.
func Replace(name string, data []byte) error {
	return replace(name, data, func(*os.File) error { return nil })
}

// replace writes a file that only its owner can read beside the old one, and gives it the old one's name.
func replace(name string, data []byte, sync func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = sync(f)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = Patiently(func() error { return os.Rename(f.Name(), name) })
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// AppendFile is a file that is written at its end.
type AppendFile struct{ *os.File }

// Append opens a file to write at its end, making it if it is not there; only its owner can read it then.
func Append(name string) (AppendFile, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	return AppendFile{f}, err
}

// Truncate cuts the file. It goes by the name: on Windows a file opened to append cannot be cut.
func (f AppendFile) Truncate(size int64) error { return os.Truncate(f.Name(), size) }
