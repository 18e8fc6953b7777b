package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// Read returns the text of the file at path, which must be regular, UTF-8 and no
// larger than MaxFileSize. NUL bytes are text. It never waits for a peer, as opening
// a pipe would.
func (d *Disk) Read(ctx context.Context, path string) (*Snapshot, error) {
	var s *Snapshot
	err := d.visit(ctx, path, false, func(p *location) error {
		f, info, err := d.openRegular(p, os.O_RDONLY)
		if err != nil {
			return err
		}
		defer f.Close()
		content, err := d.content(ctx, p, f, info)
		if err != nil {
			return err
		}
		s, err = newDiskSnapshot(p.Real, content, info.Mode())
		return err
	})
	var step *stepError
	if errors.As(err, &step) {
		err = fmt.Errorf("read %s: %w", path, err)
	}
	return s, err
}

// newDiskSnapshot is the snapshot of a file that holds content.
func newDiskSnapshot(real, content string, mode fs.FileMode) (*Snapshot, error) {
	if err := checkText(real, content); err != nil {
		return nil, err
	}
	content, marked := strings.CutPrefix(content, BOM)
	s := NewSnapshot(real, text.New(content))
	s.BOM, s.Exists, s.Mode = marked, true, mode
	return s, nil
}

// openRegular opens p's file, which must be a regular one: what else there is must
// not even be opened, for opening can block, and can act on a device. It is compared
// with what was looked at before, so a link swapped in between is not followed.
func (d *Disk) openRegular(p *location, flag int) (file, fs.FileInfo, error) {
	looked, err := p.folder.Lstat(p.name)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && isLink(looked):
		return nil, nil, errMoved
	case err != nil:
		return nil, nil, failed("look", err)
	case !looked.Mode().IsRegular():
		return nil, nil, notRegular(p.Path, looked.Mode())
	}
	d.step("looked")
	f, err := p.folder.Open(p.name, flag, 0)
	if err != nil {
		return nil, nil, failed("open", p.because(looked, err))
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = failed("look", err)
	case !os.SameFile(looked, info), !info.Mode().IsRegular():
		err = errMoved // the latter: a new thing can have the number of the old one
	case f.Kernel() != "":
		err = fmt.Errorf("%s: %w: it is a file of the kernel (%s)", p.Path, ErrNotRegular, f.Kernel())
	}
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// because returns errMoved if name is no longer what was looked at, which is why it
// could not be opened, else err.
func (p *location) because(looked fs.FileInfo, err error) error {
	if now, gone := p.folder.Lstat(looked.Name()); gone != nil || !os.SameFile(now, looked) {
		return errMoved
	}
	return err
}

// content reads all of f, up to the limit: what the size says first, and what comes
// when the file grows or has no size is not trusted either.
func (d *Disk) content(ctx context.Context, p *location, f file, info fs.FileInfo) (string, error) {
	if info.Size() > d.limit {
		return "", &TooLargeError{Path: p.Path, Size: info.Size(), Limit: d.limit}
	}
	var b strings.Builder
	b.Grow(int(info.Size()))
	buf := make([]byte, min(readChunk, int(info.Size())+1))
	for {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		n, err := f.Read(buf)
		b.Write(buf[:n])
		if int64(b.Len()) > d.limit {
			return "", &TooLargeError{Path: p.Path, Size: int64(b.Len()), Limit: d.limit}
		}
		if errors.Is(err, io.EOF) {
			return b.String(), nil
		}
		if err != nil {
			return "", failed("read", err)
		}
	}
}

// notRegular says what is there instead of a file.
func notRegular(path string, mode fs.FileMode) error {
	what := "something else"
	switch {
	case mode.IsDir():
		what = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		what = "a pipe"
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	case mode&fs.ModeDevice != 0:
		what = "a device"
	case mode&fs.ModeSymlink != 0:
		what = "a symbolic link"
	}
	return fmt.Errorf("%s: %w: it is %s", path, ErrNotRegular, what)
}
