package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// locate resolves path and refuses what this view does not serve.
func (d *Disk) locate(path string) (Resolved, error) {
	r, err := d.Resolve(path)
	if err != nil {
		return r, err
	}
	switch {
	case len(path) > 1 && os.IsPathSeparator(path[len(path)-1]):
		return r, fmt.Errorf("%s: %w: it ends as the name of a folder", path, ErrNotRegular)
	case d.exact && r.Real != r.Path:
		return r, fmt.Errorf("%s: a link was put in its way and it leads to %s now: %w", r.Path, r.Real, ErrChanged)
	case r.Outside && !slices.Contains(d.outside, r.Real):
		return r, &OutsideError{Path: r.Path, Resolved: r.Real}
	}
	return r, nil
}

// visit opens the folder that path leads to and calls do with it, again from the
// start if something on the way was replaced meanwhile. do may return errMoved for
// the same reason, as long as it has changed nothing. With create, missing folders
// are made; when do fails they are removed again.
func (d *Disk) visit(ctx context.Context, path string, create bool, do func(*location) error) error {
	for range maxAttempts {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := d.locate(path)
		if err != nil {
			return err
		}
		d.step("resolved")
		p, err := d.enter(r, create)
		if err == nil {
			d.step("entered")
			err = p.leave(do(p))
		}
		if !errors.Is(err, errMoved) {
			return err
		}
	}
	return keepsMoving(path)
}

// enter opens the folder of r.Real.
func (d *Disk) enter(r Resolved, create bool) (*location, error) {
	switch {
	case r.Dangling != "":
		return nil, fmt.Errorf("%s: %w: the link %s leads to %s, which does not exist", r.Path, ErrNotExist, r.Dangling, r.Real)
	case !r.Exists && !create:
		return nil, fmt.Errorf("%s: %w", r.Path, ErrNotExist)
	case r.Outside:
		return d.enterOutside(r)
	case r.Rel == ".":
		return nil, fmt.Errorf("%s: %w: it is a folder", r.Path, ErrNotRegular)
	}
	if now, err := os.Lstat(r.root.dir); err != nil || !os.SameFile(now, r.root.info) {
		return nil, fmt.Errorf("%s: %w: the folder %s was moved or replaced since it was opened", r.Path, ErrNotExist, r.root.dir)
	}
	top, err := r.root.handle.OpenRoot(".")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Path, errno(err))
	}
	p := &location{Resolved: r, folder: d.wrapped(osFolder{top}), dir: r.Root, name: filepath.Base(r.Rel)}
	return p.descendAll(filepath.Dir(r.Rel), create)
}

// enterOutside opens the folder of a path outside the roots, which must exist. It
// goes down from the top of the file system as from a root, so that no link on the
// way is followed.
func (d *Disk) enterOutside(r Resolved) (*location, error) {
	parent := filepath.Dir(r.Real)
	if parent == r.Real {
		return nil, fmt.Errorf("%s: %w: it is a folder", r.Path, ErrNotRegular)
	}
	if _, err := os.Lstat(parent); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w: folders outside those of this session are not created", r.Path, ErrNotExist)
	}
	topDir := filepath.VolumeName(parent) + string(filepath.Separator)
	top, err := os.OpenRoot(topDir)
	if err == nil {
		p := &location{Resolved: r, folder: d.wrapped(osFolder{top}), dir: topDir, name: filepath.Base(r.Real)}
		if p, err = p.descendAll(parent[len(topDir):], false); err == nil {
			return p, nil
		}
	}
	if errors.Is(err, fs.ErrPermission) {
		return d.enterByName(r, parent)
	}
	return nil, err
}

// enterByName opens the folder parent where a folder on the way to it may be passed
// but not opened: by name, and then compared with what is there by that name.
func (d *Disk) enterByName(r Resolved, parent string) (*location, error) {
	top, err := os.OpenRoot(parent)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Path, errno(err))
	}
	p := &location{Resolved: r, folder: d.wrapped(osFolder{top}), dir: parent, name: filepath.Base(r.Real)}
	self, err := p.folder.Self()
	if err != nil {
		return nil, p.leave(err)
	}
	now, err := follow(parent)
	if err == nil && (now.real != parent || now.info == nil || !os.SameFile(self, now.info)) {
		err = errMoved
	}
	if err != nil {
		return nil, p.leave(err)
	}
	return p, nil
}

func (d *Disk) wrapped(f folder) folder {
	if d.testOnlyWrap != nil {
		return d.testOnlyWrap(f)
	}
	return f
}
