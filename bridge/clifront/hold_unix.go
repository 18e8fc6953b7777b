//go:build unix

package clifront

import (
	"context"
	"errors"
	"os"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// stopGrace is how long a stop may take to come. A process group whose session has no shell any more is not stopped at all:
// the question is then drawn again and goes on.
const stopGrace = time.Second

// hold is the terminal while a question is open.
type hold struct {
	t     *TTY
	typed []byte // was read and not returned by Typed yet
}

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
	return &hold{t: t}, nil
}

// Close implements [Held].
func (h *hold) Close() error {
	h.t.mu.Lock()
	defer h.t.mu.Unlock()
	old := h.t.old
	h.t.old = nil
	return h.t.set(old)
}

// Key implements [Held].
func (h *hold) Key(ctx context.Context) (rune, error) {
	t := h.t
	h.typed = nil
	t.mu.Lock()
	_, err := t.cbreak() // for what it throws away
	t.mu.Unlock()
	if err != nil {
		return 0, err
	}
	b, err := h.read(ctx)
	switch {
	case err != nil || len(b) == 0:
		return 0, err
	case len(b) > 1 && b[0] == escapeKey:
		return 0, nil // an arrow or function key: no choice
	}
	return rune(b[0]), nil
}

// Typed implements [Held].
func (h *hold) Typed(ctx context.Context) (rune, error) {
	for {
		if k, ok := h.character(); ok {
			return k, nil
		}
		b, err := h.read(ctx)
		if err != nil {
			return 0, err
		}
		h.typed = append(h.typed, b...)
	}
}

// character takes the next character off what was read, if it is whole; the sequences of arrow and function keys are dropped.
func (h *hold) character() (rune, bool) {
	for len(h.typed) > 1 && h.typed[0] == escapeKey {
		n := 2
		for h.typed[1] == '[' && n < len(h.typed) && (h.typed[n] < '@' || h.typed[n] > '~') {
			n++
		}
		h.typed = h.typed[min(n+1, len(h.typed)):]
	}
	if !utf8.FullRune(h.typed) {
		return 0, false
	}
	k, n := utf8.DecodeRune(h.typed)
	h.typed = h.typed[n:]
	return k, true
}

// read waits for what is typed, of which there may be more than one character.
func (h *hold) read(ctx context.Context) ([]byte, error) {
	t := h.t
	_ = t.f.SetReadDeadline(time.Time{})
	if t.mustRedraw() {
		return nil, ErrRedraw
	}
	// A read that blocks in the poller ends when its deadline passes: that is how a withdrawn question lets go.
	stop := context.AfterFunc(ctx, t.wake)
	defer stop()
	var b [16]byte
	n, err := t.f.Read(b[:])
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case t.mustRedraw(), errors.Is(err, os.ErrDeadlineExceeded):
		return nil, ErrRedraw
	}
	return b[:n], err
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
