package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// What can be wrong with a path, as errors.Is finds it; see also NotTextError and TooLargeError. The text that reaches a
// person is that of the error around it, which names the path and what was tried.
var (
	// ErrNotExist: there is no file. It is also fs.ErrNotExist.
	ErrNotExist error = &reason{"there is no such file", fs.ErrNotExist}
	// ErrExist: there is a file where a new one was to be. It is also fs.ErrExist.
	ErrExist error = &reason{"there is a file already", fs.ErrExist}
	// ErrNotRegular: a folder, pipe, socket, device or kernel file.
	ErrNotRegular = errors.New("not a regular file")
	// ErrOutside: outside the folders of the session. See OutsideError.
	ErrOutside = errors.New("outside the folders of this session")
	// ErrChanged: the text is no longer what the writer started from.
	ErrChanged = errors.New("changed since you read it; read it again")
	// ErrReadOnly: the file, its folder or the file system may not be written.
	ErrReadOnly = errors.New("read-only")
	// ErrLink: the path is a symbolic link where only a file itself will do.
	ErrLink = errors.New("a symbolic link")
	// ErrBadPath: not the absolute name of a file on this system.
	ErrBadPath = errors.New("not a usable path")
)

// reason is a sentinel that is also an error of package fs.
type reason struct {
	text string
	is   error
}

func (r *reason) Error() string { return r.text }
func (r *reason) Unwrap() error { return r.is }

// NotTextError is a file, or a text to be written, that is not UTF-8.
type NotTextError struct {
	Path   string
	Offset int64  // of the first byte that is not UTF-8
	Looks  string // a guess for people: "UTF-16 (little endian)"
}

func (e *NotTextError) Error() string {
	return fmt.Sprintf("%s is not UTF-8 text: the byte at offset %d is invalid; it looks like %s", e.Path, e.Offset, e.Looks)
}

// OutsideError is a path that leads outside every root.
type OutsideError struct {
	Path     string // as asked for
	Resolved string // where it leads
}

func (e *OutsideError) Error() string {
	if e.Path == e.Resolved {
		return fmt.Sprintf("%s is outside the folders of this session", e.Path)
	}
	return fmt.Sprintf("%s leads to %s, outside the folders of this session", e.Path, e.Resolved)
}

func (e *OutsideError) Is(target error) bool { return target == ErrOutside }

// TooLargeError is a file or text over a limit. Size is the least it can be when
// the file grew while it was read.
type TooLargeError struct {
	Path        string
	Size, Limit int64
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s has %d bytes, over the limit of %d", e.Path, e.Size, e.Limit)
}

// SaveError is a change of the disk that did not succeed.
type SaveError struct {
	Op   string // "save", "remove" or "rename"
	Path string
	Step string // what was being done: "write", "sync", "rename", …
	Err  error  // with the errno in its chain, where there was one
	// Done says the change is in place all the same, though perhaps not for good:
	// its folder could not be synced. When false, everything is as it was.
	Done bool
	// Left names a temporary file or folders that could not be removed again.
	Left []string
}

func (e *SaveError) Error() string {
	s := fmt.Sprintf("%s %s: %s: %v; ", e.Op, e.Path, e.Step, errno(e.Err))
	if e.Done {
		s += "the change is made, but may not survive a crash of the machine"
	} else {
		s += "the file is unchanged"
	}
	for _, name := range e.Left {
		s += "; could not remove " + name
	}
	return s
}

func (e *SaveError) Unwrap() error { return e.Err }

// errno strips the operation and name that package os puts before an error: the
// name is that of a temporary file, which says nothing to anybody.
func errno(err error) error {
	switch e := err.(type) { // only the outermost: what is inside may have been said on purpose
	case *fs.PathError:
		return e.Err
	case *os.LinkError:
		return e.Err
	case *os.SyscallError:
		return e.Err
	default:
		return err
	}
}
