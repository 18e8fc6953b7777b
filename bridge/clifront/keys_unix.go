//go:build unix

package clifront

import (
	"os"
	"os/signal"
	"sync"

	"golang.org/x/sys/unix"
)

// TTY is the controlling terminal. Between questions it is left as it was.
type TTY struct {
	f       *os.File
	signals chan os.Signal
	redraw  chan struct{} // has room for one: what is on the screen is not what was drawn
	done    chan struct{} // closed by Close
	ended   chan struct{} // closed by watch

	mu  sync.Mutex    // held while the terminal changes hands
	old *unix.Termios // the modes to give back, nil while the terminal is not held
}

// OpenTTY returns the keys of the controlling terminal, nil if there is none. From then on it is what stops the program at
// Ctrl-Z, until the end of the program: close it there.
func OpenTTY() *TTY {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	t := &TTY{f: f, signals: make(chan os.Signal, 8), redraw: make(chan struct{}, 1), done: make(chan struct{}), ended: make(chan struct{})}
	for _, sig := range []os.Signal{unix.SIGTSTP, unix.SIGCONT, unix.SIGWINCH} {
		if !signal.Ignored(sig) { // what our parent told us to ignore stays ignored
			signal.Notify(t.signals, sig)
		}
	}
	go t.watch()
	return t
}

// Close ends the use of the terminal.
func (t *TTY) Close() error {
	close(t.done)
	<-t.ended
	signal.Stop(t.signals)
	return t.f.Close()
}

// cbreak turns line editing and echo off: output of other goroutines still looks right, and Ctrl-C and Ctrl-Z still are
// signals. What was typed and not read is thrown away. It returns the modes from before.
func (t *TTY) cbreak() (old *unix.Termios, err error) {
	err = t.control(func(fd int) error {
		if old, err = unix.IoctlGetTermios(fd, getTermios); err != nil {
			return err
		}
		modes := *old
		modes.Lflag &^= unix.ICANON | unix.ECHO
		modes.Cc[unix.VMIN], modes.Cc[unix.VTIME] = 1, 0
		return unix.IoctlSetTermios(fd, flushTermios, &modes)
	})
	return old, err
}

// set gives the terminal modes.
func (t *TTY) set(modes *unix.Termios) error {
	return t.control(func(fd int) error { return unix.IoctlSetTermios(fd, setTermios, modes) })
}

func (t *TTY) control(f func(fd int) error) error {
	conn, err := t.f.SyscallConn()
	if err != nil {
		return err
	}
	if cerr := conn.Control(func(fd uintptr) { err = f(int(fd)) }); cerr != nil {
		return cerr
	}
	return err
}
