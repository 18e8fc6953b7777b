package peercred

import (
	"errors"
	"net"
	"os"
)

// Listen opens a socket that only this user can reach. It has the umask's mode for a moment: the folder has to be one that
// nobody else can enter.
func Listen(path string) (*net.UnixListener, error) {
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, ln.Close())
	}
	return ln, nil
}
