package fsproxy

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// FS is what agents read and write: open buffers first, the disk otherwise. It
// decides where a change goes:
//
//   - a file that is not open is saved on disk, and nothing opens it;
//   - an open buffer without unsaved text is edited, then saved by the editor;
//   - an open buffer with unsaved text is edited, and the disk is left alone.
//
// Edits of buffers are verified (see txn). All methods may be called from any
// goroutine; changes of one file wait for each other.
type FS struct {
	files   files
	remote  *remoteFiles // the same, where an editor is asked; else nil
	overlay *Overlay
	editor  Editor
	watcher *Watcher
	detach  []func() // from the overlay and the watcher
	log     zerolog.Logger

	locks   disk.Locks
	memory  memory
	late    lateOpens
	unshown unshown
	slot    chan struct{} // holds a token while an ApplyEdit is under way

	life context.Context // ends with Close
	end  context.CancelFunc

	mu     sync.Mutex
	closed bool
	work   sync.WaitGroup // calls of the editor that outlive the change that made them
}

// Config is what an FS stands on. Disk and Overlay are required.
type Config struct {
	Disk    *disk.Disk
	Overlay *Overlay
	Editor  Editor   // nil: open buffers cannot be changed
	Remote  Remote   // asked for what is not in the overlay; nil where no editor can be
	Watcher *Watcher // nil: nobody is told of changes on disk; all else works the same
	Log     zerolog.Logger
}

// New returns an FS. It is closed when no change is under way any more.
func New(c Config) *FS {
	if c.Remote == nil {
		return newFS(diskFiles{c.Disk}, c)
	}
	r := &remoteFiles{diskFiles: diskFiles{c.Disk}, remote: c.Remote}
	f := newFS(r, c)
	f.remote = r
	return f
}

func newFS(files files, c Config) *FS {
	f := &FS{files: files, overlay: c.Overlay, editor: c.Editor, watcher: c.Watcher, log: c.Log, slot: make(chan struct{}, 1)}
	f.life, f.end = context.WithCancel(context.Background())
	f.detach = append(f.detach, f.overlay.Subscribe(f.openedLate))
	if f.watcher != nil {
		f.detach = append(f.detach, f.watcher.Subscribe(f.changedOnDisk))
	}
	return f
}

// changedOnDisk keeps Dirty right for a buffer whose text somebody else put on disk.
func (f *FS) changedOnDisk(path string) {
	if snap, open := f.overlay.Lookup(path); !open || !snap.Dirty {
		return
	}
	if at, err := f.locate(path, false, true); err == nil {
		_, _ = f.onDisk(f.life, at) // a reader will be told what is wrong
	}
}

// Close withdraws what the editor has not answered and waits for it.
func (f *FS) Close() {
	for _, detach := range f.detach {
		detach()
	}
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.end()
	f.work.Wait()
}

// start runs do in a goroutine that Close waits for; false if it is closed.
func (f *FS) start(do func()) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.work.Go(do)
	}
	return !f.closed
}

// files is the disk as FS uses it: by real paths, decided on before.
type files interface {
	Resolve(path string) (disk.Resolved, error)
	// Read, Save, Remove and Rename are the Disk's, of exactly the file that was
	// resolved; outside of the roots only with permission.
	Read(ctx context.Context, at target) (*Snapshot, error)
	// Disk is Read past an editor that is asked for its text.
	Disk(ctx context.Context, at target) (*Snapshot, error)
	// The text that is replaced, read just now, saves asking the editor for it again; nil where it was not read.
	Save(ctx context.Context, at target, read *Snapshot, req disk.SaveRequest) (*Snapshot, error)
	Remove(ctx context.Context, at target, expect *text.Hash) error
	Rename(ctx context.Context, from, to target, expect *text.Hash) error
}

// target is a resolved path and whether it may be outside.
type target struct {
	disk.Resolved
	outside bool
}

// locate finds out what path is. With exact it must be what it says.
func (f *FS) locate(path string, outside, exact bool) (target, error) {
	r, err := f.files.Resolve(path)
	if err != nil {
		return target{}, err
	}
	if exact && r.Real != filepath.Clean(path) {
		return target{}, fmt.Errorf("%s leads to %s by now: it %w", path, r.Real, ErrChanged)
	}
	if r.Outside && !outside {
		return target{}, &disk.OutsideError{Path: r.Path, Resolved: r.Real}
	}
	return target{r, outside}, nil
}

// ReadOption changes what Read may do.
type ReadOption func(*readOptions)

type readOptions struct{ outside, disk bool }

// WithDisk reads what is not in the overlay from disk, where an editor could be asked: a search asks no editor for
// thousands of files.
func WithDisk() ReadOption { return func(o *readOptions) { o.disk = true } }

// WithOutside lets a read leave the roots, for which somebody above has been given
// permission.
func WithOutside() ReadOption { return func(o *readOptions) { o.outside = true } }

// Read serves the text at path, the buffer's if it is open, and remembers for
// reader that it was served; a reader without a name is not remembered. A missing
// file is ErrNotExist, at once and without a trace in the log: agents probe.
func (f *FS) Read(ctx context.Context, reader, path string, opts ...ReadOption) (*Snapshot, error) {
	var o readOptions
	for _, opt := range opts {
		opt(&o)
	}
	at, err := f.locate(path, o.outside, false)
	if err != nil {
		return nil, err
	}
	snap, open := f.overlay.Lookup(at.Real)
	if !open {
		read := f.files.Read
		if o.disk {
			read = f.files.Disk
		}
		if snap, err = read(ctx, at); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				f.memory.forget(func(b belief) bool { return b == belief{reader, at.Real} })
			}
			return nil, err
		}
	}
	f.touch(at.Real)
	f.memory.note(reader, at.Real, snap.Text, true)
	return snap, nil
}

func (f *FS) touch(path string) {
	if f.watcher != nil {
		f.watcher.Touch(path)
	}
}

// onDisk reads the file from disk, nil if there is none, and lets the
// overlay know.
func (f *FS) onDisk(ctx context.Context, at target) (*Snapshot, error) {
	onDisk, err := f.files.Read(ctx, at)
	if errors.Is(err, ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("compare with the disk: %w", err)
	}
	f.overlay.onDisk(at.Real, onDisk)
	return onDisk, nil
}

// diskFiles is the Disk as files.
type diskFiles struct{ disk *disk.Disk }

func (d diskFiles) Resolve(path string) (disk.Resolved, error) { return d.disk.Resolve(path) }

func (d diskFiles) view(places ...target) *disk.Disk {
	v := d.disk.Exact()
	for _, at := range places {
		if at.Outside && at.outside {
			v = v.WithOutside(at.Real)
		}
	}
	return v
}

func (d diskFiles) Read(ctx context.Context, at target) (*Snapshot, error) {
	return d.view(at).Read(ctx, at.Real)
}

// Disk reads past the editor: the disk is all there is.
func (d diskFiles) Disk(ctx context.Context, at target) (*Snapshot, error) { return d.Read(ctx, at) }

func (d diskFiles) Save(ctx context.Context, at target, _ *Snapshot, req disk.SaveRequest) (*Snapshot, error) {
	return d.view(at).Save(ctx, at.Real, req)
}

func (d diskFiles) Remove(ctx context.Context, at target, expect *text.Hash) error {
	return d.view(at).Remove(ctx, at.Real, expect)
}

func (d diskFiles) Rename(ctx context.Context, from, to target, expect *text.Hash) error {
	return d.view(from, to).Rename(ctx, from.Real, to.Real, expect)
}
