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
	var cred *unix.Xucred
	var optErr error
	if err := raw.Control(func(fd uintptr) {
		if cred, optErr = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED); optErr == nil {
			pid, optErr = unix.GetsockoptInt(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERPID)
		}
	}); err != nil {
		return 0, 0, false, err
	}
	if optErr != nil {
		return 0, 0, false, optErr
	}
	return int(cred.Uid), pid, true, nil
}
