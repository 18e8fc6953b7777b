package fsproxy

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// Remote is an editor that does not tell of its buffers but reads and writes files for others, unsaved text included
// (ACP v1 fs/read_text_file, fs/write_text_file). It is asked at every read, nothing of what it said is kept.
//
// Only ErrNotExist and ErrNotServed make the disk the file. With any other error the editor may have the file open, with
// text that nobody has saved, so nothing is read or written in its place.
type Remote interface {
	// ReadText returns the text of the file at path as the editor has it; lent says that it is a buffer of another one,
	// which lends it. ErrNotExist: it has none; ErrNotServed: it does not read files for others, or not this one;
	// *RefusedError: it does not say.
	ReadText(ctx context.Context, path string) (now string, lent bool, err error)
	// OwnText is what the editor itself says of a file that another one lends.
	OwnText(ctx context.Context, path string) (string, error)
	// WriteText has the editor put text into the file at path, made if need be, in the place of base. ErrNotServed: it
	// does not write files for others, or not this one.
	WriteText(ctx context.Context, path, base, text string) error
	// ReadsDisk tells that the editor was found to read the disk for others while it writes into buffers, at path. From
	// then on it serves nothing.
	ReadsDisk(ctx context.Context, path string)
}

// ErrNotServed: the editor does not serve this file; the disk is the file.
var ErrNotServed = errors.New("the editor does not serve this file")

// RefusedError is an editor that does not let a file be read, although it may have it open.
type RefusedError struct {
	Path   string
	Reason string // the editor's own
	// Missing says that the reason is worded like that of a file that is not there. It is believed where the disk has
	// none either.
	Missing bool
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("read %s: the editor refused: %s. It may hold unsaved text, so the disk was not used in its place and nothing was changed", e.Path, e.Reason)
}

// remoteFiles is the disk with a remote editor in front of it.
type remoteFiles struct {
	diskFiles
	remote Remote

	mu      sync.Mutex
	dirty   map[string]bool   // files whose text in the editor was not that of the disk when it was last read
	behind  map[string]string // what the editor went on to show of files that it had put on disk itself
	buffers bool              // the editor has shown a text that was not on disk: it serves buffers
	cuts    bool              // it was seen to leave out the line end at the end
}

// Read gives the editor's text, and from the disk what an editor does not tell: the mode, the byte order mark, and whether
// there is a line end at the end, which some leave out.
func (r *remoteFiles) Read(ctx context.Context, at target) (*Snapshot, error) {
	onDisk, diskErr := r.Disk(ctx, at)
	now, lent, err := r.remote.ReadText(ctx, at.Path)
	var refused *RefusedError
	switch absent := errors.Is(diskErr, ErrNotExist); {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, ErrNotServed), errors.Is(err, ErrNotExist), absent && errors.As(err, &refused) && refused.Missing,
		absent && err == nil && now == "", // some give "" for a file that is not there
		err == nil && !lent && r.isBehind(at.Real, now):
		r.note(at.Real, false)
		return onDisk, diskErr
	case err != nil:
		return nil, err
	}
	now, marked := strings.CutPrefix(now, disk.BOM)
	if diskErr == nil && !lent {
		now = r.withLastEnd(now, onDisk.Text)
	}
	s := disk.NewSnapshot(at.Real, text.New(now))
	s.Exists = true
	if diskErr == nil {
		s.BOM, s.Mode = onDisk.BOM, onDisk.Mode
		s.Dirty = !SameText(s.Text, onDisk.Text)
		r.judge(ctx, at, s, onDisk, lent)
	} else {
		s.BOM, s.Dirty = marked, true
	}
	s.Open = s.Dirty
	r.note(at.Real, s.Dirty)
	return s, nil
}

// Disk reads past the editor.
func (r *remoteFiles) Disk(ctx context.Context, at target) (*Snapshot, error) {
	return r.diskFiles.Read(ctx, at)
}

// Save puts a text where the editor has it. What comes back is what is there afterwards.
func (r *remoteFiles) Save(ctx context.Context, at target, read *Snapshot, req disk.SaveRequest) (*Snapshot, error) {
	base, err := read, error(nil)
	if base == nil {
		base, err = r.Read(ctx, at)
	} else if !base.Exists {
		base, err = nil, ErrNotExist
	}
	switch {
	case errors.Is(err, ErrNotExist) && !req.New && req.Expect != nil, err == nil && req.Expect != nil && base.Hash() != *req.Expect:
		return nil, fmt.Errorf("%s %w", at.Path, ErrChanged)
	case err == nil && req.New:
		return nil, fmt.Errorf("%s: %w", at.Path, ErrExist)
	case err != nil && !errors.Is(err, ErrNotExist):
		return nil, err
	case err != nil && (req.Like != nil || !isFolder(filepath.Dir(at.Real))):
		return r.diskFiles.Save(ctx, at, read, req) // no editor has a buffer there, nor sets a mode
	}
	before, words := "", req.Text
	if err == nil {
		before = base.Text.String()
		if base.BOM {
			words = disk.BOM + words
		}
	}
	switch err := r.remote.WriteText(ctx, at.Path, before, words); {
	case errors.Is(err, ErrNotServed) && base != nil && base.Dirty:
		return nil, fmt.Errorf("%s holds unsaved text in the editor, which does not let others write to it; nothing was changed. Save it there first", at.Path)
	case errors.Is(err, ErrNotServed):
		if req, err = r.onDiskAgain(ctx, at, base, req); err != nil {
			return nil, err
		}
		return r.diskFiles.Save(ctx, at, read, req)
	case err != nil:
		return nil, err
	}
	return r.written(ctx, at, base, req)
}

// onDiskAgain is a save of a file that the editor has as it is on disk, but perhaps with other line ends. base is what was
// read, nil where there was nothing; what has come to the disk since is not overwritten.
func (r *remoteFiles) onDiskAgain(ctx context.Context, at target, base *Snapshot, req disk.SaveRequest) (disk.SaveRequest, error) {
	if onDisk, err := r.Disk(ctx, at); err == nil && base != nil {
		if !SameText(base.Text, onDisk.Text) {
			return req, fmt.Errorf("%s %w", at.Path, ErrChanged)
		}
		same := over(onDisk, req.Text)
		req.Text, req.Expect = same.Text, same.Expect
	}
	return req, nil
}

func isFolder(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}

func (r *remoteFiles) note(path string, dirty bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if dirty && len(r.dirty) < maxServed {
		if r.dirty == nil {
			r.dirty = make(map[string]bool)
		}
		r.dirty[path] = true
	} else if !dirty {
		delete(r.dirty, path)
	}
}

// Remote says whether an editor is asked for files that it has not told of.
func (f *FS) Remote() bool { return f.remote != nil }

// Unsaved are the files that held unsaved text when a remote editor was last asked for them. There may be others.
func (f *FS) Unsaved() (paths []string) {
	if f.remote == nil {
		return nil
	}
	f.remote.mu.Lock()
	defer f.remote.mu.Unlock()
	for path := range f.remote.dirty {
		paths = append(paths, path)
	}
	return paths
}

// OnDisk reads what is on disk, no matter who has the file open.
func (f *FS) OnDisk(ctx context.Context, path string) (*Snapshot, error) {
	at, err := f.locate(path, true, false)
	if err != nil {
		return nil, err
	}
	return f.files.Disk(ctx, at)
}

// Remember notes what reader was served of the whole of a file by somebody else, and returns the text that it should be
// served: with the line end at the end that the file has, see withLastEnd, and what that one has put on disk itself.
func (f *FS) Remember(ctx context.Context, reader, path, t string) string {
	at, err := f.locate(path, true, false)
	if err != nil {
		return t
	}
	if r := f.remote; r != nil {
		behind := r.isBehind(at.Real, t)
		if behind || !strings.HasSuffix(t, "\n") {
			if onDisk, err := r.Disk(ctx, at); err == nil && behind {
				t = onDisk.Text.String()
			} else if err == nil {
				t = r.withLastEnd(t, onDisk.Text)
			}
		}
	}
	f.memory.note(reader, at.Real, text.New(strings.TrimPrefix(t, disk.BOM)), true)
	return t
}
