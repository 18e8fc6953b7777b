//go:build unix

package peercred

import (
	"fmt"
	"net"
	"os"
)

// SameUser is an error unless the other end belongs to the user of this process. pid is its process.
func SameUser(c net.Conn) (pid int, err error) {
	socket, ok := c.(*net.UnixConn)
	if !ok {
		return 0, fmt.Errorf("the system does not say whose the other end is: it is a %T", c)
	}
	uid, pid, err := of(socket)
	switch {
	case err != nil:
		return 0, fmt.Errorf("the system does not say whose the other end is: %w", err)
	case uid != os.Geteuid():
		return 0, fmt.Errorf("the other end belongs to user %d", uid)
	}
	return pid, nil
}
