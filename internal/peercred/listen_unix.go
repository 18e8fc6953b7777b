//go:build unix

package peercred

import (
	"context"
	"errors"
	"net"
	"os"
)

// MaxPath is the longest path of a door that all systems take: that of a unix socket has 104 bytes with its end on macOS, 108 on
// Linux.
const MaxPath = 103

// Listen opens a door that only this user can reach. Closing it removes the file. The socket has the umask's mode for a moment.
func Listen(path string) (net.Listener, error) {
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, ln.Close())
	}
	return ln, nil
}

// Dial connects to whom [Listen] lets in at path.
func Dial(ctx context.Context, path string) (Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	return c.(*net.UnixConn), nil // network "unix"
}
