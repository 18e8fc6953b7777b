package review

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// errHeld says that another process holds a lock.
var errHeld = errors.New("held by another process")

// storage is the disk as far as the journal needs it; tests put faults into it.
type storage interface {
	// MakeDir makes a folder that only its owner can use, or makes sure that it is one.
	MakeDir(dir string) error
	List(dir string) ([]string, error)
	Open(name string) (io.ReadCloser, error)
	// Append opens a file to write at its end, making it if it is not there.
	Append(name string) (logFile, error)
	Rename(from, to string) error
	Remove(name string) error
	// SyncDir makes what happened to the names in a folder last.
	SyncDir(dir string) error
	// Lock takes the lock that a file stands for, until it is closed or the process ends; errHeld.
	Lock(name string) (io.Closer, error)
}

// logFile is a file that only grows.
type logFile interface {
	io.WriteCloser
	Sync() error
	Truncate(size int64) error
}

// disk is the real storage.
type disk struct{}

func (disk) MakeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err != nil || privateMode(info.Mode()) {
		return err
	}
	return os.Chmod(dir, 0o700)
}

func (disk) List(dir string) ([]string, error) {
	es, err := os.ReadDir(dir)
	var names []string
	for _, e := range es {
		names = append(names, e.Name())
	}
	return names, err
}

func (disk) Open(name string) (io.ReadCloser, error) { return os.Open(name) }

func (disk) Append(name string) (logFile, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	return diskFile{f}, nil
}

type diskFile struct{ *os.File }

// Truncate goes by the name: on Windows a file opened to append cannot be cut.
func (f diskFile) Truncate(size int64) error { return os.Truncate(f.Name(), size) }

func (disk) Rename(from, to string) error        { return os.Rename(from, to) }
func (disk) Remove(name string) error            { return os.Remove(name) }
func (disk) SyncDir(dir string) error            { return syncDir(dir) }
func (disk) Lock(name string) (io.Closer, error) { return lockFile(filepath.Clean(name)) }
