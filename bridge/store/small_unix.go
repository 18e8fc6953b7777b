//go:build unix

package store

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// readSmall is os.ReadFile for files that usually fit into buf, of which a listing reads thousands: four system calls where
// that takes seven, because it looks for the end and tries to wait for regular files as for the network. The stamp is the
// file's that was read.
func readSmall(name string, buf []byte) ([]byte, stamp, error) {
	fd, err := again(func() (int, error) { return unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0) })
	if err != nil {
		return nil, stamp{}, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	var st unix.Stat_t
	known := unix.Fstat(fd, &st) == nil
	n, err := again(func() (int, error) { return unix.Read(fd, buf) })
	_ = unix.Close(fd)
	if known && err == nil && int64(n) == st.Size {
		return buf[:n], stampOf(&st), nil
	}
	data, err := os.ReadFile(name)
	return data, stamp{}, err
}

// stampFile is the stamp of the file that has a name now.
func stampFile(name string) (stamp, error) {
	var st unix.Stat_t
	if _, err := again(func() (int, error) { return 0, unix.Lstat(name, &st) }); err != nil {
		return stamp{}, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	return stampOf(&st), nil
}

func stampOf(st *unix.Stat_t) stamp {
	return stamp{inode: uint64(st.Ino), mod: st.Mtim.Nano(), size: st.Size} //nolint:unconvert // other types on some systems
}

func again(call func() (int, error)) (n int, err error) {
	for {
		if n, err = call(); err != unix.EINTR {
			return n, err
		}
	}
}
