//go:build unix

package clifront

import (
	"context"
	"os"

	"golang.org/x/sys/unix"
)

// TTY reads keys of a terminal. Between questions the terminal is left as it was.
type TTY struct{ f *os.File }

// OpenTTY returns the keys of the controlling terminal, nil if there is none. Close it in the end.
func OpenTTY() *TTY {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	return &TTY{f}
}

// Close gives the terminal back.
func (t *TTY) Close() error { return t.f.Close() }

// Key implements [Keys]. Only line editing and echo are off while it waits: output of other goroutines still looks
// right, and Ctrl-C still is a signal. What was typed before is thrown away: a key counts only for what is on the screen.
func (t *TTY) Key(ctx context.Context) (rune, error) {
	conn, err := t.f.SyscallConn()
	if err != nil {
		return 0, err
	}
	var old *unix.Termios
	if cerr := conn.Control(func(fd uintptr) { old, err = cbreak(int(fd)) }); cerr != nil {
		return 0, cerr
	}
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Control(func(fd uintptr) { restore(int(fd), old) }) }()
	// A read that blocks in the poller ends when its deadline passes: that is how a withdrawn question lets go.
	stop := context.AfterFunc(ctx, func() { _ = t.f.SetReadDeadline(aLongTimeAgo) })
	defer func() { stop(); _ = t.f.SetReadDeadline(noDeadline) }()
	var b [16]byte
	n, err := t.f.Read(b[:])
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if err != nil || n == 0 {
		return 0, err
	}
	if n > 1 && b[0] == 27 {
		return 0, nil // an arrow or function key: no choice
	}
	return rune(b[0]), nil
}

func cbreak(fd int) (*unix.Termios, error) {
	old, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return nil, err
	}
	t := *old
	t.Lflag &^= unix.ICANON | unix.ECHO
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	return old, unix.IoctlSetTermios(fd, flushTermios, &t)
}

func restore(fd int, old *unix.Termios) { _ = unix.IoctlSetTermios(fd, setTermios, old) }
