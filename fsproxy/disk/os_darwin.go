package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// moveNew renames without ever replacing.
func moveNew(from *os.Root, old string, into *os.Root, name string) error {
	return withFDs(from, into, func(a, b int) error {
		err := unix.RenameatxNp(a, old, b, name, unix.RENAME_EXCL)
		if !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
			return err
		}
		return linkThenUnlink(a, old, b, name)
	})
}

// kernelFile: macOS has no file systems of that kind.
func kernelFile(*os.File) string { return "" }

// keptAttribute reports whether an extended attribute is copied; on macOS all are
// the user's.
func keptAttribute(string) bool { return true }
