package review

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// memDisk is a disk in memory that can fail at a chosen call and be copied as it
// was at any moment.
type memDisk struct {
	mu    sync.Mutex
	files map[string][]byte
	held  map[string]bool

	calls    int
	failAt   int            // the call that fails, counting from 1; 0: none
	forever  bool           // and every one after it
	short    bool           // a failing write leaves a part
	synced   map[string]int // bytes that a power failure would leave
	failures int
}

func newMemDisk() *memDisk {
	return &memDisk{files: map[string][]byte{}, held: map[string]bool{}, synced: map[string]int{}}
}

var errFault = errors.New("no space left on device")

func (d *memDisk) fault() error {
	d.calls++
	if d.failAt != 0 && (d.calls == d.failAt || d.forever && d.calls > d.failAt) {
		d.failures++
		return errFault
	}
	return nil
}

func (d *memDisk) MakeDir(string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.fault()
}

func (d *memDisk) List(dir string) ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var names []string
	for _, n := range slices.Sorted(maps.Keys(d.files)) {
		if filepath.Dir(n) == dir {
			names = append(names, filepath.Base(n))
		}
	}
	return names, d.fault()
}

func (d *memDisk) Open(name string) (durable.LogReader, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.fault(); err != nil {
		return nil, err
	}
	data, ok := d.files[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return memLog{bytes.NewReader(bytes.Clone(data))}, nil
}

// memLog is a file as it was when it was opened.
type memLog struct{ *bytes.Reader }

func (memLog) Close() error { return nil }

func (l memLog) Size() (int64, error) { return l.Reader.Size(), nil }

func (d *memDisk) Append(name string) (durable.LogWriter, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.fault(); err != nil {
		return nil, err
	}
	if _, ok := d.files[name]; !ok {
		d.files[name] = nil
	}
	return &memFile{d, name}, nil
}

func (d *memDisk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.fault(); err != nil {
		return err
	}
	d.files[to], d.synced[to] = d.files[from], d.synced[from]
	delete(d.files, from)
	return nil
}

func (d *memDisk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.fault(); err != nil {
		return err
	}
	delete(d.files, name)
	return nil
}

func (d *memDisk) SyncDir(string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.fault()
}

type memLock struct {
	d    *memDisk
	name string
}

func (l memLock) Close() error {
	l.d.mu.Lock()
	defer l.d.mu.Unlock()
	delete(l.d.held, l.name)
	return nil
}

func (d *memDisk) Lock(name, _ string) (io.Closer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.fault(); err != nil {
		return nil, err
	}
	if d.held[name] {
		return nil, durable.ErrHeld
	}
	d.held[name] = true
	d.files[name] = nil
	return memLock{d, name}, nil
}

type memFile struct {
	d    *memDisk
	name string
}

func (f *memFile) Write(p []byte) (int, error) {
	d := f.d
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.fault(); err != nil {
		n := 0
		if d.short {
			n = len(p) / 2
			d.files[f.name] = append(d.files[f.name], p[:n]...)
		}
		return n, err
	}
	d.files[f.name] = append(d.files[f.name], p...)
	return len(p), nil
}

func (f *memFile) Sync() error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if err := f.d.fault(); err != nil {
		return err
	}
	f.d.synced[f.name] = len(f.d.files[f.name])
	return nil
}

func (f *memFile) Truncate(size int64) error {
	f.d.mu.Lock()
	defer f.d.mu.Unlock()
	if err := f.d.fault(); err != nil {
		return err
	}
	f.d.files[f.name] = f.d.files[f.name][:size:size]
	return nil
}

func (f *memFile) Close() error { return nil }

// crash gives the disk as a process that died at this moment leaves it.
func (d *memDisk) crash() *memDisk {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := newMemDisk()
	for n, data := range d.files {
		c.files[n] = bytes.Clone(data)
		c.synced[n] = len(data)
	}
	return c
}

// log gives the name of the journal.
func (d *memDisk) log() string {
	for n := range d.files {
		if strings.HasSuffix(n, "0.log") {
			return n
		}
	}
	return ""
}

// openOn opens a book on a disk; notices are collected.
func openOn(t testing.TB, d *memDisk) (*Book, *[]string) {
	t.Helper()
	b, notices, err := tryOpenOn(d)
	if err != nil {
		t.Fatal(err)
	}
	return b, notices
}

func tryOpenOn(d *memDisk) (*Book, *[]string, error) {
	var notices []string
	b := newBook(Config{Dir: "/journals", Workspace: "/ws", Notice: func(s string) { notices = append(notices, s) }})
	b.folder.Disk = d
	return b, &notices, b.open()
}
