package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"
)

// checkPath says why path cannot be the name of a file, nil if it can.
func checkPath(path string) error {
	switch {
	case path == "":
		return fmt.Errorf("%w: it is empty", ErrBadPath)
	case len(path) > MaxPath:
		return fmt.Errorf("%w: it has %d bytes, and %d are the most", ErrBadPath, len(path), MaxPath)
	case strings.ContainsRune(path, 0):
		return fmt.Errorf("%w: %q holds a NUL byte", ErrBadPath, path)
	case !utf8.ValidString(path):
		return fmt.Errorf("%w: %q is not UTF-8", ErrBadPath, path)
	case !filepath.IsAbs(path):
		return fmt.Errorf("%w: %q is not absolute; give the whole path", ErrBadPath, path)
	}
	return checkName(path)
}

// trail is where a path leads.
type trail struct {
	real     string      // no symbolic links; also for what does not exist
	info     fs.FileInfo // of real, nil if there is nothing
	via      []string    // the symbolic links gone through, in order
	isLink   bool        // the last component of the path is itself a link
	dangling string      // the link that leads to nothing, "" if none
	folder   fs.FileInfo // the deepest folder on the way that exists, not real itself
	rest     string      // real relative to that folder
}

// follow finds out where a path leads, component by component, as the kernel
// would, but it goes on by name where nothing exists, starts again at the top for
// an absolute link, and gives up after maxLinks links. It opens nothing.
// With an error, real goes on by name from where that was. Precondition: path is
// clean and absolute.
func follow(path string) (t trail, err error) {
	top := filepath.VolumeName(path) + string(filepath.Separator)
	t.real = top
	pending := parts(path[len(top):])
	defer func() {
		if err != nil {
			t.real = filepath.Join(append([]string{t.real}, pending...)...)
		}
	}()
	if t.info, err = os.Lstat(top); err != nil {
		return t, pathProblem(path, err)
	}
	fromLink := 0 // how many of pending come out of a link, not out of path
	for len(pending) > 0 {
		name := pending[0]
		pending = pending[1:]
		inLink := fromLink > 0
		if inLink {
			fromLink--
		}
		switch name {
		case "", ".":
			continue
		case "..":
			t.real = filepath.Dir(t.real)
			if t.info, err = os.Lstat(t.real); err != nil {
				return t, pathProblem(path, err)
			}
			continue
		}
		if !t.info.IsDir() {
			at := t.real
			t.real = filepath.Join(at, name)
			return t, fmt.Errorf("%s: %w: %s is a file, not a folder", path, ErrNotExist, at)
		}
		next := filepath.Join(t.real, name)
		info, err := os.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			t.folder, t.info = t.info, nil
			if inLink {
				t.dangling = t.via[len(t.via)-1]
			}
			deepest := t.real
			t.real = filepath.Join(append([]string{next}, pending...)...)
			t.rest, err = filepath.Rel(deepest, t.real)
			return t, err
		case err != nil:
			t.real = next
			return t, pathProblem(path, err)
		case !isLink(info):
			t.folder, t.rest = t.info, name
			t.real, t.info = next, info
			continue
		}
		t.via = append(t.via, next)
		if len(t.via) > maxLinks {
			t.real = next
			return t, fmt.Errorf("%s: %w: more than %d symbolic links on the way, perhaps a loop: %s",
				path, ErrBadPath, maxLinks, strings.Join(t.via[:3], " → ")+" → …")
		}
		target, err := os.Readlink(next)
		if err != nil {
			return t, errMoved // it was a link a moment ago
		}
		t.isLink = t.isLink || len(pending) == fromLink
		if filepath.IsAbs(target) {
			top := filepath.VolumeName(target) + string(filepath.Separator)
			t.real = top
			if t.info, err = os.Lstat(top); err != nil {
				return t, pathProblem(path, err)
			}
			target = target[len(top):]
		}
		steps := strings.FieldsFunc(target, func(r rune) bool { return r < utf8.RuneSelf && os.IsPathSeparator(uint8(r)) })
		pending = append(steps, pending...)
		fromLink += len(steps)
	}
	return t, nil
}

// pathProblem is what a failed look at path is called.
func pathProblem(path string, err error) error {
	err = errno(err)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		// Something on the way went away between two looks.
		return fmt.Errorf("%s: %w", path, ErrNotExist)
	case errors.Is(err, syscall.ENAMETOOLONG):
		return fmt.Errorf("%s: %w: a name in it is too long", path, ErrBadPath)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// isLink reports whether the kernel would go elsewhere for this name: a symbolic
// link, or on Windows a junction, which Go calls irregular.
func isLink(info fs.FileInfo) bool {
	return info.Mode()&fs.ModeSymlink != 0 || isJunction(info)
}
