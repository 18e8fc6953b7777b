package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// SaveRequest is a text to put on disk.
type SaveRequest struct {
	// Text is without a byte order mark, unless it is to begin with two.
	Text string
	// Like, if not nil, says whether there is to be a byte order mark, and the mode
	// of a file that does not exist. Without it both stay as they are on disk; a new
	// file has no mark, and mode 0644 less the umask.
	Like *Snapshot
	// Mode, if not 0, is the mode that a file gets which is there.
	Mode fs.FileMode
	// Expect is the hash of the text the writer started from. When the disk has
	// another text, or none, the save is refused with ErrChanged. Nil: not checked.
	Expect *text.Hash
	// New says the file must not exist yet; if it does, the save is refused with
	// ErrExist, also when it appears at the last moment.
	New bool
	// Report, if not nil, is filled in, whether or not the save succeeds.
	Report *SaveReport
}

// SaveReport is what a save did besides putting the text there.
type SaveReport struct {
	Folders []string // folders that were created, outermost first
	Notes   []string // sentences: what of the old file could not be kept
}

// Save puts the text of req at path, whole or not at all, and returns what is there
// now. A symbolic link stays and its target gets the text; of several hard links
// only this one does. Folders on the way are made, inside the roots only. A
// read-only file is refused. If the error is a *SaveError that is Done, the text is
// in place, and the snapshot is returned with the error.
func (d *Disk) Save(ctx context.Context, path string, req SaveRequest) (*Snapshot, error) {
	if err := checkText(path, req.Text); err != nil {
		return nil, err
	}
	if size := int64(len(req.Text)); size > d.limit-int64(len(BOM)) {
		return nil, &TooLargeError{Path: path, Size: size, Limit: d.limit}
	}
	if req.Report == nil {
		req.Report = new(SaveReport)
	}
	var saved *Snapshot
	err := d.change(ctx, "save", []string{path}, func() error {
		return d.visit(ctx, path, true, func(p *location) (err error) {
			saved, err = d.save(ctx, p, req)
			return err
		})
	})
	return saved, err
}

// change runs do while no other change of the files at paths is under way, and puts
// into words what went wrong.
func (d *Disk) change(ctx context.Context, op string, paths []string, do func() error) error {
	release, err := d.lockAll(ctx, paths)
	if err != nil {
		return err
	}
	defer release()
	err = do()
	var step *stepError
	if !errors.As(err, &step) {
		return err
	}
	cause := step.err
	if readOnlyErrno(cause) && !errors.Is(cause, ErrReadOnly) {
		cause = fmt.Errorf("%w: %w", ErrReadOnly, errno(cause))
	}
	return &SaveError{Op: op, Path: paths[0], Step: step.step, Err: cause, Done: step.done, Left: step.left}
}

// lockAll takes the locks of the files at paths. A path may lead elsewhere by the
// time its lock is had; then it is the other lock that is needed.
func (d *Disk) lockAll(ctx context.Context, paths []string) (release func(), err error) {
	keys := make([]string, len(paths))
	for range maxAttempts {
		for i, path := range paths {
			r, err := d.locate(path)
			if err != nil {
				return nil, err
			}
			keys[i] = r.LockKey
		}
		if release, err = d.locks.Acquire(ctx, keys...); err != nil {
			return nil, err
		}
		same := true
		for i, path := range paths {
			r, err := d.locate(path)
			if err != nil {
				release()
				return nil, err
			}
			same = same && r.LockKey == keys[i]
		}
		if same {
			return release, nil
		}
		release()
	}
	return nil, keepsMoving(paths[0])
}

// old is the file that a save replaces.
type old struct {
	file file // nil if there is none
	info fs.FileInfo
	bom  bool
}

// save does the steps of a save in p's folder. Whatever fails, and wherever, the
// file that was there is whole: until the rename nothing of it is touched.
func (d *Disk) save(ctx context.Context, p *location, req SaveRequest) (*Snapshot, error) {
	was, err := d.oldFile(ctx, p, req.Expect, req.New)
	if err != nil {
		return nil, err
	}
	if was.file != nil {
		defer func() { _ = was.file.Close() }() // only read; closed before, mostly
	}
	content := req.Text
	if req.Like != nil && req.Like.BOM || req.Like == nil && was.bom {
		content = BOM + content
	}
	mode, err := d.replace(ctx, p, was, content, req)
	if err != nil && !isDone(err) {
		return nil, err
	}
	for _, m := range p.made {
		req.Report.Folders = append(req.Report.Folders, m.path)
	}
	s, bad := newDiskSnapshot(p.Real, content, mode)
	return s, errors.Join(err, bad)
}

// isDone reports whether the operation that failed with err is done all the same.
func isDone(err error) bool {
	var step *stepError
	return errors.As(err, &step) && step.done
}

// oldFile opens the file that is to be replaced or removed, and refuses what must
// not be.
func (d *Disk) oldFile(ctx context.Context, p *location, expect *text.Hash, isNew bool) (old, error) {
	_, err := p.folder.Lstat(p.name)
	if errors.Is(err, fs.ErrNotExist) {
		if p.Exists {
			return old{}, errMoved
		}
		if expect != nil {
			return old{}, fmt.Errorf("%s was removed: %w", p.Path, ErrChanged)
		}
		return old{}, nil
	}
	if err != nil {
		return old{}, failed("look", err)
	}
	if isNew {
		return old{}, fmt.Errorf("%s: %w", p.Path, ErrExist)
	}
	// Opened for writing, though it never is written: that asks the system whether
	// it might be, which a rename does not.
	f, info, err := d.openRegular(p, os.O_RDWR)
	if err != nil {
		return old{}, err
	}
	was := old{file: f, info: info}
	if info.Mode().Perm()&0o222 == 0 { // root may write anything, but is not asked to
		err = fmt.Errorf("%s: %w: nobody may write it (mode %s)", p.Path, ErrReadOnly, info.Mode().Perm())
	} else {
		was.bom, err = d.expected(ctx, p, f, expect)
	}
	if err != nil {
		_ = f.Close()
		return old{}, err
	}
	return was, nil
}
