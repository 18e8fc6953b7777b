package review

import (
	"io"
	"os"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// storage is the disk as far as the journal needs it; tests put faults into it.
type storage interface {
	// MakeDir makes a folder that only its owner can use, or makes sure that it is one.
	MakeDir(dir string) error
	List(dir string) ([]string, error)
	Open(name string) (durable.LogReader, error)
	// Append opens a file to write at its end, making it if it is not there.
	Append(name string) (durable.LogWriter, error)
	Rename(from, to string) error
	Remove(name string) error
	// SyncDir makes what happened to the names in a folder last.
	SyncDir(dir string) error
	// Lock takes the lock that a file stands for, until it is closed or the process ends; durable.ErrHeld.
	Lock(name string) (io.Closer, error)
}

// disk is the real storage.
type disk struct{}

func (disk) MakeDir(dir string) error { return durable.MakePrivate(dir) }

func (disk) List(dir string) ([]string, error) {
	es, err := os.ReadDir(dir)
	var names []string
	for _, e := range es {
		names = append(names, e.Name())
	}
	return names, err
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

func (disk) Rename(from, to string) error { return os.Rename(from, to) }
func (disk) Remove(name string) error     { return os.Remove(name) }
func (disk) SyncDir(dir string) error     { return durable.SyncDir(dir) }

func (disk) Lock(name string) (io.Closer, error) {
	f, err := durable.Lock(name)
	if err != nil {
		return nil, err
	}
	return f, nil
}
