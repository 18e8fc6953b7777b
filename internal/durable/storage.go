package durable

import (
	"io"
	"os"
	"slices"
)

// Storage is the disk as far as a log needs it; tests put faults into it. [Disk] is the real one.
type Storage interface {
	// MakeDir makes a folder that only its owner can use, or makes sure that it is one.
	MakeDir(dir string) error
	// List gives the names in a folder, sorted.
	List(dir string) ([]string, error)
	Open(name string) (LogReader, error)
	// Append opens a file to write at its end, making it if it is not there.
	Append(name string) (LogWriter, error)
	Rename(from, to string) error
	// Remove removes a file, or a folder with all that is in it; it is no error if there is none.
	Remove(name string) error
	// SyncDir makes what happened to the names in a folder last.
	SyncDir(dir string) error
	// Lock takes the lock that a file stands for, until it is closed or the process ends: [ErrHeld]. It writes who
	// holds it into the file, for people to read.
	Lock(name, holder string) (io.Closer, error)
}

// Disk is the real storage.
type Disk struct{}

// MakeDir is [MakePrivate].
func (Disk) MakeDir(dir string) error { return MakePrivate(dir) }

// List reads a folder.
func (Disk) List(dir string) ([]string, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// Open opens a log to read it.
func (Disk) Open(name string) (LogReader, error) {
	f, err := os.Open(name)
	return readFile{f}, err
}

type readFile struct{ *os.File }

// Size is its length in bytes.
func (f readFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Append is the function of that name.
func (Disk) Append(name string) (LogWriter, error) { return Append(name) }

// Rename replaces what is at to.
func (Disk) Rename(from, to string) error {
	return Patiently(func() error { return os.Rename(from, to) })
}

// Remove removes it.
func (Disk) Remove(name string) error { return Patiently(func() error { return os.RemoveAll(name) }) }

// SyncDir is the function of that name.
func (Disk) SyncDir(dir string) error { return SyncDir(dir) }

// Lock is the function of that name. A lock without its holder's name is a lock.
func (Disk) Lock(name, holder string) (io.Closer, error) {
	f, err := Lock(name)
	if err != nil {
		return nil, err
	}
	if f.Truncate(0) == nil {
		_, _ = f.WriteAt([]byte(holder), 0)
	}
	return f, nil
}
