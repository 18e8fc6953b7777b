package peercred

import (
	"net"

	"golang.org/x/sys/unix"
)

// Of says who is at the other end of a socket. known is false where the system cannot tell.
func Of(c *net.UnixConn) (uid, pid int, known bool, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, 0, false, err
	}
	var cred *unix.Ucred
	var optErr error
	if err := raw.Control(func(fd uintptr) {
		cred, optErr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	}); err != nil {
		return 0, 0, false, err
	}
	if optErr != nil {
		return 0, 0, false, optErr
	}
	return int(cred.Uid), int(cred.Pid), true, nil
}
