package store

import (
	"io"
	"os"
	"sync"
	"syscall"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// faults is a disk with a fault in it: at every call that changes something, hit is asked what to do.
type faults struct {
	disk
	mu  sync.Mutex
	n   int
	hit func(n int, op string) fault
}

type fault int

const (
	fine      fault = iota
	refuse          // ENOSPC, nothing happened
	half            // a write is cut short
	killFirst       // the process ends before the call
	killHalf        // in the middle of a write, else before the call
	killAfter       // after the call
)

func (f *faults) do(op string, data []byte, call func([]byte) error) error {
	f.mu.Lock()
	f.n++
	what := fine
	if f.hit != nil {
		what = f.hit(f.n, op)
	}
	f.mu.Unlock()
	switch what {
	case refuse:
		return syscall.ENOSPC
	case half:
		if data != nil {
			call(data[:len(data)/2])
		}
		return syscall.ENOSPC
	case killFirst:
		die()
	case killHalf:
		if data != nil {
			call(data[:len(data)/2])
		}
		die()
	}
	err := call(data)
	if what == killAfter {
		die()
	}
	return err
}

func die() {
	self, _ := os.FindProcess(os.Getpid())
	self.Kill()
	select {}
}

func (f *faults) MakeDir(dir string) error {
	return f.do("mkdir", nil, func([]byte) error { return f.disk.MakeDir(dir) })
}

func (f *faults) Save(name string, data []byte) error {
	// The two steps of an atomic save: a left over temporary file, and the rename.
	return f.do("save", nil, func([]byte) error { return f.disk.Save(name, data) })
}

func (f *faults) Rename(from, to string) error {
	return f.do("rename", nil, func([]byte) error { return f.disk.Rename(from, to) })
}

func (f *faults) Remove(name string) error {
	return f.do("remove", nil, func([]byte) error { return f.disk.Remove(name) })
}

func (f *faults) SyncDir(dir string) error {
	return f.do("syncdir", nil, func([]byte) error { return f.disk.SyncDir(dir) })
}

func (f *faults) Lock(name, holder string) (c io.Closer, err error) {
	err = f.do("lock", nil, func([]byte) error {
		var e error
		c, e = f.disk.Lock(name, holder)
		return e
	})
	return c, err
}

func (f *faults) Append(name string) (l durable.LogWriter, err error) {
	err = f.do("open", nil, func([]byte) error {
		var e error
		l, e = f.disk.Append(name)
		return e
	})
	if err != nil {
		return nil, err
	}
	return &faultyFile{l, f}, nil
}

type faultyFile struct {
	durable.LogWriter
	f *faults
}

func (l *faultyFile) Write(p []byte) (n int, err error) {
	err = l.f.do("write", p, func(p []byte) error {
		var e error
		n, e = l.LogWriter.Write(p)
		return e
	})
	return n, err
}

func (l *faultyFile) Sync() error {
	return l.f.do("sync", nil, func([]byte) error { return l.LogWriter.Sync() })
}

func (l *faultyFile) Truncate(size int64) error {
	return l.f.do("truncate", nil, func([]byte) error { return l.LogWriter.Truncate(size) })
}
