//go:build unix

package disk

import (
	"cmp"
	"errors"
	"os"
	"syscall"
)

// openFlags go with every open: a pipe without a writer must not hold us up, a
// terminal must not become ours, and no child inherits the file.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOCTTY | syscall.O_CLOEXEC

// folderModes says that a folder's mode tells whether names in it may change.
const folderModes = true

// syncFolder makes names in the folder durable.
func syncFolder(root *os.Root) error {
	h, err := root.Open(".")
	if err != nil {
		return err
	}
	defer h.Close()
	err = h.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil // a file system that has no such thing, such as some in user space
	}
	return err
}

// withFDs calls do with descriptors of both folders.
func withFDs(a, b *os.Root, do func(a, b int) error) error {
	ha, err := a.Open(".")
	if err != nil {
		return err
	}
	defer ha.Close()
	hb, err := b.Open(".")
	if err != nil {
		return err
	}
	defer hb.Close()
	ca, err := ha.SyscallConn()
	if err != nil {
		return err
	}
	cb, err := hb.SyscallConn()
	if err != nil {
		return err
	}
	var done, inner error
	outer := ca.Control(func(fa uintptr) {
		inner = cb.Control(func(fb uintptr) { done = do(int(fa), int(fb)) })
	})
	return cmp.Or(outer, inner, done)
}

// readOnlyErrno reports whether err is how the system says that something may not
// be written.
func readOnlyErrno(err error) bool {
	return errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EROFS)
}
