package store

import (
	"io"
	"os"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// storage is the disk as far as the store needs it; tests put faults into it.
type storage interface {
	MakeDir(dir string) error
	List(dir string) ([]string, error)
	Read(name string) ([]byte, error)
	// ReadStamped is Read, into buf if it fits, with the stamp of the file that was read; the zero one if that cannot be told.
	ReadStamped(name string, buf []byte) ([]byte, stamp, error)
	Stamp(name string) (stamp, error)
	Open(name string) (durable.LogReader, error)
	// Append opens a file to write at its end, making it if it is not there.
	Append(name string) (durable.LogWriter, error)
	// Save replaces a file by one that is whole and on disk.
	Save(name string, data []byte) error
	Rename(from, to string) error
	Remove(name string) error // a file, or a folder with all that is in it
	SyncDir(dir string) error
	// Lock takes the lock that a file stands for: durable.ErrHeld. It writes who holds it into the file.
	Lock(name, holder string) (io.Closer, error)
}

// disk is the real storage.
type disk struct{}

func (disk) MakeDir(dir string) error            { return durable.MakePrivate(dir) }
func (disk) Read(name string) ([]byte, error)    { return os.ReadFile(name) }
func (disk) Save(name string, data []byte) error { return durable.Save(name, data) }
func (disk) Rename(from, to string) error        { return os.Rename(from, to) }
func (disk) Remove(name string) error            { return os.RemoveAll(name) }
func (disk) SyncDir(dir string) error            { return durable.SyncDir(dir) }

func (disk) Stamp(name string) (stamp, error) { return stampFile(name) }

func (disk) ReadStamped(name string, buf []byte) ([]byte, stamp, error) { return readSmall(name, buf) }

func (disk) List(dir string) ([]string, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Readdirnames(-1)
}

func (disk) Open(name string) (durable.LogReader, error) {
	log, err := durable.OpenLog(name)
	if err != nil {
		return nil, err
	}
	return log, nil
}

func (disk) Append(name string) (durable.LogWriter, error) {
	f, err := durable.Append(name)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (disk) Lock(name, holder string) (io.Closer, error) {
	f, err := durable.Lock(name)
	if err != nil {
		return nil, err
	}
	// Only for people to read: a lock without it is a lock.
	if f.Truncate(0) == nil {
		_, _ = f.WriteAt([]byte(holder), 0)
	}
	return f, nil
}
