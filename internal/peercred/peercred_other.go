//go:build !linux && !darwin

package peercred

import "net"

// Of says who is at the other end of a socket. known is false where the system cannot tell; there the folder's
// permissions and the token have to do.
func Of(*net.UnixConn) (uid, pid int, known bool, err error) { return 0, 0, false, nil }
