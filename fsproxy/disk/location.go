package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// location is a folder held open, and the name in it that a path led to. It belongs to
// one operation.
type location struct {
	Resolved
	folder folder
	dir    string // the folder's path, for people
	name   string
	made   []madeFolder
	left   []string // what could not be tidied up
}

// madeFolder is a folder this operation made, by its name in the one it is in.
type madeFolder struct {
	in   folder
	name string
	path string
}

// stepError is a call that failed, and what it was for.
type stepError struct {
	step string
	err  error
	done bool // the operation is done all the same
	left []string
}

func (e *stepError) Error() string { return fmt.Sprintf("%s: %v", e.step, errno(e.err)) }
func (e *stepError) Unwrap() error { return e.err }

// failed is err with the step it happened in, nil for nil. errMoved stays what it
// is: the operation starts again.
func failed(step string, err error) error {
	if err == nil || errors.Is(err, errMoved) {
		return err
	}
	return &stepError{step: step, err: err}
}

// descendAll goes down the relative path rel. It leaves p if that fails.
func (p *location) descendAll(rel string, create bool) (*location, error) {
	for _, name := range parts(rel) {
		if err := p.descend(name, create); err != nil {
			return nil, p.leave(err)
		}
	}
	return p, nil
}

// descend goes into the folder name, which must be a folder itself and not a link
// to one, and must still be what was looked at when it has been opened.
func (p *location) descend(name string, create bool) error {
	made := false
	info, err := p.folder.Lstat(name)
	if create && errors.Is(err, fs.ErrNotExist) {
		if err := p.mayChange(); err != nil {
			return failed("create folder", err)
		}
		if err = p.folder.Mkdir(name, newFolderMode); err == nil {
			made = true
		} else if !errors.Is(err, fs.ErrExist) {
			return failed("create folder", err)
		}
		info, err = p.folder.Lstat(name)
	}
	path := filepath.Join(p.dir, name)
	var next folder
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = errMoved // it was there when the path was resolved
	case err == nil && !info.IsDir():
		err = errMoved
	case err == nil:
		next, err = p.child(name, info)
	}
	if err != nil {
		if made {
			p.remove(p.folder, name, path)
		}
		return failed("open folder", err)
	}
	if made {
		p.made = append(p.made, madeFolder{p.folder, name, path})
	} else {
		_ = p.folder.Close() // only ever looked at
	}
	p.folder, p.dir = next, path
	return nil
}

// mayChange refuses a folder that nobody may write. The system says so too, except
// to root, which is not asked to overrule what the user has set.
func (p *location) mayChange() error {
	info, err := p.folder.Self()
	if err != nil {
		return err
	}
	if folderModes && info.Mode().Perm()&0o222 == 0 {
		return fmt.Errorf("%w: nobody may write the folder %s (mode %s)", ErrReadOnly, p.dir, info.Mode().Perm())
	}
	return nil
}

// child opens the folder name and makes sure that it is the one info describes.
func (p *location) child(name string, info fs.FileInfo) (folder, error) {
	next, err := p.folder.OpenFolder(name)
	if err != nil {
		return nil, p.because(info, err)
	}
	self, err := next.Self()
	if err == nil && !os.SameFile(info, self) {
		err = errMoved
	}
	if err != nil {
		_ = next.Close()
		return nil, err
	}
	return next, nil
}

// remove takes away something of ours, at the second try if need be, and remembers
// it if it cannot.
func (p *location) remove(in folder, name, path string) {
	if in.Remove(name) == nil {
		return
	}
	if err := in.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.left = append(p.left, path)
	}
}

// leave closes everything. If the operation failed with err, the folders made for
// it go away again. It returns err, which then says what could not be tidied up.
func (p *location) leave(err error) error {
	var step *stepError
	undo := err != nil && !(errors.As(err, &step) && step.done)
	_ = p.folder.Close()
	for i := len(p.made) - 1; i >= 0; i-- {
		m := p.made[i]
		if undo {
			p.remove(m.in, m.name, m.path)
		}
		_ = m.in.Close()
	}
	if len(p.left) == 0 || err == nil {
		return err
	}
	if step == nil {
		if errors.Is(err, errMoved) {
			err = ErrChanged // and not again: what is left would be taken for somebody's
		}
		step = &stepError{step: "tidy up", err: err}
	}
	step.left = p.left
	return step
}
