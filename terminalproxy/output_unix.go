//go:build unix

package terminalproxy

import (
	"os"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// openTTY makes a pseudo-terminal: what is written to in can be read from out, byte for byte. It is nobody's
// controlling terminal and has no keyboard, so that no command waits for a key or a password in it.
func openTTY() (out, in *os.File, err error) {
	out, in, err = pty.Open()
	if err != nil {
		return nil, nil, err
	}
	_, err = term.MakeRaw(int(in.Fd())) // or each line would end in \r\n
	if err == nil {
		err = pty.Setsize(out, &pty.Winsize{Rows: ttyRows, Cols: ttyColumns})
	}
	if err == nil {
		// Asking a file for its descriptor makes it block; ours is read with deadlines.
		err = unix.SetNonblock(int(out.Fd()), true)
	}
	if err != nil {
		in.Close()
		out.Close()
		return nil, nil, err
	}
	return out, in, nil
}
