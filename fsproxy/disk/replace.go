package disk

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// expected compares the text of f with what the writer started from, if it said so,
// and reports whether there is a byte order mark.
func (d *Disk) expected(ctx context.Context, p *location, f file, expect *text.Hash) (marked bool, err error) {
	head := make([]byte, len(BOM))
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, failed("read", err)
	}
	marked = string(head[:n]) == BOM
	if expect == nil {
		return marked, nil
	}
	sum := sha256.New()
	if !marked {
		sum.Write(head[:n])
	}
	buf := make([]byte, readChunk)
	for {
		if err := ctx.Err(); err != nil {
			return marked, err
		}
		n, err := f.Read(buf)
		sum.Write(buf[:n])
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return marked, failed("read", err)
		}
	}
	if text.Hash(sum.Sum(nil)) != *expect {
		return marked, fmt.Errorf("%s %w", p.Path, ErrChanged)
	}
	return marked, nil
}

// replace writes content to a new file beside the old one and puts it in its place.
func (d *Disk) replace(ctx context.Context, p *location, was old, content string, req SaveRequest) (fs.FileMode, error) {
	perm := fs.FileMode(newFileMode)
	if was.file != nil || req.Like != nil && req.Like.Mode != 0 {
		perm = tempMode
	}
	f, temp, err := p.temporary(perm)
	if err != nil {
		return 0, failed("create temporary file", err)
	}
	placed := false
	defer func() {
		if !placed {
			p.remove(p.folder, temp, filepath.Join(p.dir, temp))
		}
	}()
	mode, err := fill(f, was, content, req)
	if closing := f.Close(); err == nil {
		err = failed("close", closing)
	}
	if err != nil {
		return 0, err
	}
	d.step("written")
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if was.file == nil {
		err = p.folder.Move(temp, p.folder, p.name)
		if errors.Is(err, fs.ErrExist) {
			return 0, d.appeared(p, req)
		}
	} else {
		if err := p.unchanged(was); err != nil {
			return 0, err
		}
		_ = was.file.Close() // Windows replaces no file that is open
		err = p.folder.Rename(temp, p.name)
	}
	if err != nil {
		return 0, failed("rename", err)
	}
	placed = true
	d.step("renamed")
	return mode, p.sync()
}

// appeared is the error when there is a file where there was none a moment ago.
func (d *Disk) appeared(p *location, req SaveRequest) error {
	if req.New {
		return fmt.Errorf("%s: %w", p.Path, ErrExist)
	}
	return fmt.Errorf("%s was created by somebody else: %w", p.Path, ErrChanged)
}

// temporary makes a file of ours in the folder, under a name nobody can guess.
func (p *location) temporary(perm fs.FileMode) (f file, name string, err error) {
	if err := p.mayChange(); err != nil {
		return nil, "", err
	}
	for range maxTempNames {
		var random [8]byte
		_, _ = rand.Read(random[:]) // never fails: package rand ends the program first
		name = tempPrefix + hex.EncodeToString(random[:]) + tempSuffix
		f, err = p.folder.Open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) {
			return f, name, err
		}
	}
	return nil, "", err
}

// fill makes f, which is new, what the file is to be, and makes that durable.
func fill(f file, was old, content string, req SaveRequest) (fs.FileMode, error) {
	n, err := io.WriteString(f, content)
	if err == nil && n < len(content) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return 0, failed("write", err)
	}
	if err := setOwnerAndMode(f, was, req); err != nil {
		return 0, err
	}
	if err := f.Sync(); err != nil {
		return 0, failed("sync", err)
	}
	info, err := f.Stat()
	if err != nil {
		return 0, failed("look", err)
	}
	return info.Mode(), nil
}

// setOwnerAndMode gives f the owner and mode it is to have. A new file has those of any new
// file. Set-user-ID bits go, as they do when a file is written in place.
func setOwnerAndMode(f file, was old, req SaveRequest) error {
	var mode fs.FileMode
	switch {
	case was.file != nil:
		group, notes := f.KeepOwner(was.file)
		req.Report.Notes = append(req.Report.Notes, notes...)
		mode = was.info.Mode().Perm()
		if req.Mode != 0 {
			mode = req.Mode.Perm()
		}
		if !group {
			mode &^= 0o070 &^ (mode & 0o007 << 3)
		}
		if was.info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0 {
			req.Report.Notes = append(req.Report.Notes, "its set-user-ID and set-group-ID bits are cleared")
		}
	case req.Like != nil && req.Like.Mode != 0:
		mode = req.Like.Mode.Perm()
	default:
		return nil
	}
	return failed("set mode", f.Chmod(mode))
}

// unchanged makes sure, as late as can be, that the file is still the one that was
// compared with what the writer expected.
func (p *location) unchanged(was old) error {
	now, err := p.folder.Lstat(p.name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failed("look", err)
	}
	if err != nil || !os.SameFile(now, was.info) || now.Size() != was.info.Size() || !now.ModTime().Equal(was.info.ModTime()) {
		return fmt.Errorf("%s %w", p.Path, ErrChanged)
	}
	return nil
}

// sync makes the change of names durable, including those of folders made on the
// way. The change is done, whatever comes of it.
func (p *location) sync() error {
	err := p.folder.Sync()
	for _, m := range p.made {
		if failed := m.in.Sync(); err == nil {
			err = failed
		}
	}
	if err != nil {
		return &stepError{step: "sync folder", err: err, done: true}
	}
	return nil
}
