package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// Remove removes the file at path, if expect is nil or is the hash of its text. A
// symbolic link is refused: the path says one thing and the link another. So is a
// read-only file.
func (d *Disk) Remove(ctx context.Context, path string, expect *text.Hash) error {
	return d.change(ctx, "remove", []string{path}, func() error {
		return d.visit(ctx, path, false, func(p *location) error {
			was, err := d.oldToMove(ctx, p, expect)
			if err != nil {
				return err
			}
			d.step("checked")
			if err := p.unchanged(was); err != nil {
				return err
			}
			if err := p.folder.Remove(p.name); err != nil {
				return failed("remove", err)
			}
			return p.sync()
		})
	})
}

// Rename gives the file at from the name to, under which there must be nothing:
// a file there is never replaced. expect, unless nil, is the hash of its text. Folders on the way to it are made, inside the
// roots only. Links and read-only files are refused as by Remove.
func (d *Disk) Rename(ctx context.Context, from, to string, expect *text.Hash) error {
	return d.change(ctx, "rename", []string{from, to}, func() error {
		return d.visit(ctx, from, false, func(source *location) error {
			return d.visit(ctx, to, true, func(target *location) error {
				return d.rename(ctx, source, target, expect)
			})
		})
	})
}

func (d *Disk) rename(ctx context.Context, source, target *location, expect *text.Hash) error {
	was, err := d.oldToMove(ctx, source, expect)
	if err != nil {
		return err
	}
	if err := target.mayChange(); err != nil {
		return failed("look", err)
	}
	d.step("checked")
	if err := source.unchanged(was); err != nil {
		return err
	}
	if !target.IsLink && source.SameFile(target.Resolved) && source.LockKey == target.LockKey && source.Real != target.Real {
		// The same name in other letters, on a file system that does not mind them.
		err = source.folder.Rename(source.name, target.name)
	} else {
		err = source.folder.Move(source.name, target.folder, target.name)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s: %w", target.Path, ErrExist)
	case errors.Is(err, syscall.EXDEV):
		return failed("rename", fmt.Errorf("%s is on another disk; copy the file there instead: %w", target.Path, errno(err)))
	case err != nil:
		return failed("rename", err)
	}
	return errors.Join(target.sync(), source.sync())
}

// oldToMove checks the file whose name is to go, and closes it: only its identity
// is needed from here on.
func (d *Disk) oldToMove(ctx context.Context, p *location, expect *text.Hash) (old, error) {
	if p.IsLink {
		return old{}, fmt.Errorf("%s: it is %w to %s; name that file itself", p.Path, ErrLink, p.Real)
	}
	if err := p.mayChange(); err != nil {
		return old{}, failed("look", err)
	}
	was, err := d.oldFile(ctx, p, expect, false)
	if err != nil {
		return old{}, err
	}
	if was.file == nil {
		return old{}, fmt.Errorf("%s: %w", p.Path, ErrNotExist)
	}
	return was, failed("close", was.file.Close())
}
