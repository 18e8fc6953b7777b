package peercred

import (
	"fmt"
	"net"
	"os"
)

// SameUser is an error unless the other end belongs to the user of this process. Where the system cannot tell, which is
// the case on Windows, it is nil: there the folder's permissions have to do.
func SameUser(c *net.UnixConn) error {
	uid, _, known, err := Of(c)
	switch {
	case err != nil:
		return fmt.Errorf("the system does not say whose the other end is: %w", err)
	case known && uid != os.Geteuid():
		return fmt.Errorf("the other end belongs to user %d", uid)
	}
	return nil
}
