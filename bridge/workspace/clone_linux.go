package workspace

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// cloneFile makes a file without a name in dir that shares the blocks of src. The error is errors.ErrUnsupported where
// no file of this file system will ever do.
func cloneFile(src *os.File, dir string) (*os.File, error) {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	dst := os.NewFile(uintptr(fd), dir)
	raw, err := src.SyscallConn()
	if err == nil {
		var ioctl error
		err = raw.Control(func(from uintptr) { ioctl = unix.IoctlFileClone(fd, int(from)) })
		if err == nil {
			err = ioctl
		}
	}
	switch {
	case err == nil:
		return dst, nil
	case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.EXDEV), errors.Is(err, unix.ENOTTY), errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM):
		err = fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	dst.Close()
	return nil, err
}
