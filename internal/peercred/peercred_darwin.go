package peercred

import (
	"net"

	"golang.org/x/sys/unix"
)

// of says who is at the other end of a socket.
func of(c *net.UnixConn) (uid, pid int, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, 0, err
	}
	var cred *unix.Xucred
	var optErr error
	if err := raw.Control(func(fd uintptr) {
		if cred, optErr = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED); optErr == nil {
			pid, optErr = unix.GetsockoptInt(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERPID)
		}
	}); err != nil {
		return 0, 0, err
	}
	if optErr != nil {
		return 0, 0, optErr
	}
	return int(cred.Uid), pid, nil
}
