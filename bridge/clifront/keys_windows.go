package clifront

import (
	"context"
	"os"
	"unicode/utf8"

	"golang.org/x/sys/windows"
	"golang.org/x/term"
)

// TTY reads keys of the console.
type TTY struct{ f *os.File }

// OpenTTY returns the keys of the console, nil if there is none.
func OpenTTY() *TTY {
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return nil
	}
	return &TTY{os.Stdin}
}

// Hold implements [Keys]. Between keys the console is left as it was. A console is not stopped, and a resize is not heard of:
// Windows has no signals.
func (t *TTY) Hold() (Held, error) { return t, nil }

// Close implements [Held]. There is nothing to give back.
func (t *TTY) Close() error { return nil }

// Key implements [Held]. A console read cannot be withdrawn: after a cancelled question the next key is lost.
func (t *TTY) Key(ctx context.Context) (rune, error) {
	if err := windows.FlushConsoleInputBuffer(windows.Handle(t.f.Fd())); err != nil { // a key counts only for what is on the screen
		return 0, err
	}
	b, err := t.read(ctx)
	return rune(b), err
}

// Typed implements [Held].
func (t *TTY) Typed(ctx context.Context) (rune, error) {
	var typed []byte
	for !utf8.FullRune(typed) {
		b, err := t.read(ctx)
		if err != nil {
			return 0, err
		}
		typed = append(typed, b)
	}
	k, _ := utf8.DecodeRune(typed)
	return k, nil
}

// read waits for one byte of what is typed, in UTF-8.
func (t *TTY) read(ctx context.Context) (byte, error) {
	old, err := term.MakeRaw(int(t.f.Fd()))
	if err != nil {
		return 0, err
	}
	defer term.Restore(int(t.f.Fd()), old)
	got := make(chan byte, 1)
	go func() {
		var b [1]byte
		if n, _ := t.f.Read(b[:]); n == 1 {
			got <- b[0]
		}
	}()
	select {
	case b := <-got:
		return b, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}
