package journal

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

const (
	format  = "copilot-bridge review journal"
	version = 1
)

// ErrNewer says that a journal was written by a later version, which alone can read it.
var ErrNewer = errors.New("written by a newer version")

// Header starts every journal.
type Header struct {
	Format    string `json:"format"`
	Version   int    `json:"version"`
	Workspace string `json:"workspace"`
	Prefix    string `json:"prefix"` // of ids, so that those of another journal are never taken for ours
	Time      string `json:"time"`
}

// first is the record that a journal begins with.
type first struct {
	Header *Header `json:"header"`
}

// NewPrefix makes the start of all ids of a journal.
func NewPrefix() string { return strings.ToLower(rand.Text()[:5]) + "-" }

// Folder is where the journals of one workspace are: 0.log with its lock 0.lock, 1.log and so on.
type Folder struct {
	Disk      durable.Storage
	Path      string
	Workspace string
	MaxRecord int64 // bytes; a journal holds no longer one
	Now       func() time.Time
	Log       zerolog.Logger

	// Notice is given a sentence for the user. It is called where the caller of this package is, with its lock held.
	Notice func(format string, args ...any)
}

// Name is the name of the n-th journal.
func Name(n int) string { return fmt.Sprintf("%d.log", n) }

// LockName names the file whose lock stands for the n-th journal. It is never removed.
func LockName(n int) string { return fmt.Sprintf("%d.lock", n) }

// Free gives a name that begins with name and is not among names.
func Free(name string, names []string) string {
	for k := 1; ; k++ {
		if s := fmt.Sprintf("%s-%d", name, k); !slices.Contains(names, s) {
			return s
		}
	}
}

// Lock takes the lock of the n-th journal until it is closed: [durable.ErrHeld].
func (f *Folder) Lock(n int) (io.Closer, error) { return f.Disk.Lock(f.join(LockName(n)), "") }

// Names lists the folder.
func (f *Folder) Names() ([]string, error) { return f.Disk.List(f.Path) }

// Rename gives a file of the folder another name in it.
func (f *Folder) Rename(from, to string) error { return f.Disk.Rename(f.join(from), f.join(to)) }

// Remove removes a file of the folder.
func (f *Folder) Remove(name string) error { return f.Disk.Remove(f.join(name)) }

// SetAside gives a journal a name under which nobody takes it for one, beside the journal name, and returns where it is.
func (f *Folder) SetAside(what, name string) (path string, err error) {
	names, err := f.Names()
	if err != nil {
		return "", err
	}
	to := Free(fmt.Sprintf("%s.aside-%s", name, f.Now().UTC().Format("20060102T150405")), names)
	return f.join(to), f.Rename(what, to)
}

func (f *Folder) join(name string) string { return filepath.Join(f.Path, name) }
