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
	var cred *unix.Ucred
	var optErr error
	if err := raw.Control(func(fd uintptr) {
		cred, optErr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	}); err != nil {
		return 0, 0, err
	}
	if optErr != nil {
		return 0, 0, optErr
	}
	return int(cred.Uid), int(cred.Pid), nil
}
