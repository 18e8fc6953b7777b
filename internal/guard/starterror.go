package guard

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

// Kind is why a program could not be started.
type Kind string

// The kinds of a StartError.
const (
	NotFound      Kind = "not-found"      // no such program
	NotExecutable Kind = "not-executable" // it is there and may not, or cannot, be run
	BadDir        Kind = "bad-dir"        // the working folder is gone
	TooBig        Kind = "too-big"        // arguments and environment exceed the system's limit
	Invalid       Kind = "invalid"        // the arguments cannot be passed to any program
	Failed        Kind = "failed"         // the system has no resources, or the guardian did not start
)

// StartError says that a program was not started and why. It unwraps to
// fs.ErrNotExist, fs.ErrPermission or syscall.E2BIG where these fit.
type StartError struct {
	Kind   Kind
	Name   string // as given, "" if there was none
	Reason string // half a sentence for the user
	Err    error  // the system's error, nil if there was none
}

func (e *StartError) Error() string {
	if e.Name == "" {
		return e.Reason
	}
	return fmt.Sprintf("start %s: %s", e.Name, e.Reason)
}

func (e *StartError) Unwrap() error {
	if e.Err != nil {
		return e.Err
	}
	switch e.Kind {
	case NotFound, BadDir:
		return fs.ErrNotExist
	case NotExecutable:
		return fs.ErrPermission
	case TooBig:
		return syscall.E2BIG
	}
	return nil
}

// asStartError is err itself if it is one already.
func asStartError(name string, err error) *StartError {
	var e *StartError
	if !errors.As(err, &e) {
		e = &StartError{Kind: Failed, Name: name, Reason: err.Error(), Err: err}
	}
	return e
}

// execError turns the errno of an exec of path into words. The errno alone
// misleads: ENOENT for an existing file means that its interpreter is missing.
func execError(name, path string, argv, env []string, err error) *StartError {
	e := &StartError{Kind: Failed, Name: name, Reason: err.Error(), Err: err}
	switch {
	case errors.Is(err, syscall.E2BIG):
		n := 0
		for _, s := range argv {
			n += len(s) + 1
		}
		for _, s := range env {
			n += len(s) + 1
		}
		e.Kind = TooBig
		e.Reason = fmt.Sprintf("%d arguments and the environment are %d bytes, more than the system passes to a program (one argument: 128 KiB); use a file or standard input", len(argv), n)
	case errors.Is(err, syscall.ENOENT):
		e.Kind = NotFound
		e.Reason = path + " does not exist"
		if i := interpreter(path); i != "" {
			e.Kind = NotExecutable
			e.Reason = fmt.Sprintf("its interpreter %s does not exist (first line of %s)", i, path)
		} else if exists(path) {
			e.Kind = NotExecutable
			e.Reason = path + " exists, but the loader or interpreter it needs does not"
		}
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		e.Kind = NotExecutable
		e.Reason = path + " may not be executed (" + err.Error() + ")"
	case errors.Is(err, syscall.ENOEXEC):
		e.Kind = NotExecutable
		e.Reason = path + " is not a program for this machine, or a script without a #! line"
	}
	return e
}

// encode makes the error one line of the status pipe, decode reads it again.
func (e *StartError) encode() string {
	return fmt.Sprintf("error %s %q", e.Kind, e.Reason)
}

func decodeStartError(name, line string) *StartError {
	e := &StartError{Kind: Failed, Name: name, Reason: line}
	kind, quoted, ok := strings.Cut(line, " ")
	if !ok {
		return e
	}
	var reason string
	if _, err := fmt.Sscanf(quoted, "%q", &reason); err == nil {
		e.Kind, e.Reason = Kind(kind), reason
	}
	return e
}
