//go:build linux || darwin

package disk

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// linkThenUnlink is a rename that fails if there is something at name, for file
// systems whose rename cannot. For a moment the file has both names.
func linkThenUnlink(from int, old string, into int, name string) error {
	if err := unix.Linkat(from, old, into, name, 0); err != nil {
		return err
	}
	return unix.Unlinkat(from, old, 0)
}

// keepOwner makes f belong to whom old belongs to, with its extended attributes.
func keepOwner(f, old *os.File) (group bool, notes []string) {
	a, b := owner(f), owner(old)
	group = true
	if a != nil && b != nil && (a.Uid != b.Uid || a.Gid != b.Gid) {
		// Without the right to give the file away, its group may still be one of ours.
		if f.Chown(int(b.Uid), int(b.Gid)) != nil {
			if a.Uid != b.Uid {
				notes = append(notes, fmt.Sprintf("its owner is now user %d instead of %d", a.Uid, b.Uid))
			}
			if a.Gid != b.Gid && f.Chown(-1, int(b.Gid)) != nil {
				group = false
				notes = append(notes, fmt.Sprintf("its group is now %d instead of %d, with no more rights than others have", a.Gid, b.Gid))
			}
		}
	}
	return group, append(notes, keepAttributes(f, old)...)
}

func owner(f *os.File) *syscall.Stat_t {
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	st, _ := info.Sys().(*syscall.Stat_t)
	return st
}

// keepAttributes copies the extended attributes of old that f does not have.
func keepAttributes(f, old *os.File) (notes []string) {
	to, err := f.SyscallConn()
	if err != nil {
		return nil
	}
	from, err := old.SyscallConn()
	if err != nil {
		return nil
	}
	_ = from.Control(func(source uintptr) {
		names := attributeNames(int(source))
		if len(names) == 0 {
			return
		}
		_ = to.Control(func(target uintptr) {
			for _, name := range names {
				if !copyAttribute(int(target), int(source), name) {
					notes = append(notes, fmt.Sprintf("its attribute %s could not be kept", name))
				}
			}
		})
	})
	return notes
}

// attributeNames lists the attributes to be kept; none on a file system without.
func attributeNames(fd int) (names []string) {
	size, err := unix.Flistxattr(fd, nil)
	if err != nil || size == 0 {
		return nil
	}
	list := make([]byte, size)
	if size, err = unix.Flistxattr(fd, list); err != nil {
		return nil
	}
	for name := range bytes.SplitSeq(list[:size], []byte{0}) {
		if len(name) > 0 && keptAttribute(string(name)) {
			names = append(names, string(name))
		}
	}
	return names
}

func copyAttribute(to, from int, name string) bool {
	value, ok := attribute(from, name)
	if !ok {
		return false
	}
	if there, ok := attribute(to, name); ok && slices.Equal(value, there) {
		return true // such as the label that the folder gives to every new file
	}
	return unix.Fsetxattr(to, name, value, 0) == nil
}

func attribute(fd int, name string) ([]byte, bool) {
	size, err := unix.Fgetxattr(fd, name, nil)
	if err != nil {
		return nil, false
	}
	value := make([]byte, size)
	size, err = unix.Fgetxattr(fd, name, value)
	if err != nil {
		return nil, false
	}
	return value[:size], true
}
