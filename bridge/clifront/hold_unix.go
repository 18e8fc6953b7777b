//go:build unix

package clifront

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// stopGrace is how long a stop may take to come. A process group whose session has no shell any more is not stopped at all:
// the question is then drawn again and goes on.
const stopGrace = time.Second

// hold is the terminal while a question is open.
type hold struct{ t *TTY }

// Hold implements [Keys].
func (t *TTY) Hold() (Held, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	old, err := t.cbreak()
	if err != nil {
		return nil, err
	}
	t.old = old
	t.mustRedraw() // what was on the screen before is nobody's
	return hold{t}, nil
}

// Close implements [Held].
func (h hold) Close() error {
	h.t.mu.Lock()
	defer h.t.mu.Unlock()
	old := h.t.old
	h.t.old = nil
	return h.t.set(old)
}

// Key implements [Held].
func (h hold) Key(ctx context.Context) (rune, error) {
	t := h.t
	_ = t.f.SetReadDeadline(time.Time{})
	t.mu.Lock()
	_, err := t.cbreak() // for what it throws away
	t.mu.Unlock()
	if err != nil {
		return 0, err
	}
	if t.mustRedraw() {
		return 0, ErrRedraw
	}
	// A read that blocks in the poller ends when its deadline passes: that is how a withdrawn question lets go.
	stop := context.AfterFunc(ctx, t.wake)
	defer stop()
	var b [16]byte
	n, err := t.f.Read(b[:])
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case t.mustRedraw(), errors.Is(err, os.ErrDeadlineExceeded):
		return 0, ErrRedraw
	case err != nil || n == 0:
		return 0, err
	case n > 1 && b[0] == 27:
		return 0, nil // an arrow or function key: no choice
	}
	return rune(b[0]), nil
}

// wake ends a read.
func (t *TTY) wake() { _ = t.f.SetReadDeadline(time.Unix(1, 0)) }

func (t *TTY) mustRedraw() bool {
	select {
	case <-t.redraw:
		return true
	default:
		return false
	}
}

// watch hears of stops and of resizes, on a goroutine of its own, until Close.
func (t *TTY) watch() {
	defer close(t.ended)
	for {
		select {
		case <-t.done:
			return
		case sig := <-t.signals:
			switch sig {
			case unix.SIGTSTP:
				t.suspend()
			case unix.SIGCONT:
				t.resume()
			}
			select {
			case t.redraw <- struct{}{}:
			default:
			}
			t.wake() // after redraw, so that Key finds it
		}
	}
}

// resume takes the terminal again, if it is held, after a stop that could not be heard.
func (t *TTY) resume() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.old != nil {
		_, _ = t.cbreak()
	}
}

// suspend gives the terminal back, if it is held, stops the program as Ctrl-Z does, and takes the terminal again when the
// program goes on. Its modes may be others by then.
func (t *TTY) suspend() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.old != nil {
		_ = t.set(t.old)
	}
	// Go does not give a signal it has once caught its default again, so this is another that stops by default. SIGSTOP
	// would also stop where there is no shell to go on from.
	_ = unix.Kill(unix.Getpid(), unix.SIGTTIN)
	late := time.NewTimer(stopGrace)
	defer late.Stop()
	for on := false; !on; {
		select {
		case sig := <-t.signals:
			on = sig == unix.SIGCONT
		case <-late.C:
			on = true
		case <-t.done:
			on = true
		}
	}
	if t.old != nil {
		if old, err := t.cbreak(); err == nil {
			t.old = old
		}
	}
}
