package store

import (
	"os"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// storage is the disk as far as the store needs it; tests put faults into it.
type storage interface {
	durable.Storage
	Read(name string) ([]byte, error)
	// ReadStamped is Read, into buf if it fits, with the stamp of the file that was read; the zero one if that cannot be told.
	ReadStamped(name string, buf []byte) ([]byte, stamp, error)
	Stamp(name string) (stamp, error)
	// Save replaces a file by one that is whole and on disk.
	Save(name string, data []byte) error
}

// disk is the real storage.
type disk struct{ durable.Disk }

func (disk) Read(name string) ([]byte, error)    { return os.ReadFile(name) }
func (disk) Save(name string, data []byte) error { return durable.Save(name, data) }

func (disk) Stamp(name string) (stamp, error) { return stampFile(name) }

func (disk) ReadStamped(name string, buf []byte) ([]byte, stamp, error) { return readSmall(name, buf) }
