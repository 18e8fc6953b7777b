//go:build linux

package terminalproxy

import (
	"runtime"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// Everything that a command wrote before its end is there when the end is told, although somebody else still holds
// the pipe and no end of file comes.
func TestLastOutputIsThereWhenTheExitIsTold(t *testing.T) {
	text := strings.Repeat("x", 40_000)
	var rounds sync.WaitGroup
	for range 30 {
		rounds.Go(func() {
			r := New(Config{})
			defer r.Close()
			var p *fake
			r.start = func(pl plan) (process, error) {
				p = newFake(pl)
				p.held = true
				return p, nil
			}
			term, err := r.Create(t.Context(), Spec{Session: "s", Command: "x", Cwd: "/"})
			if err != nil {
				t.Error(err)
				return
			}
			term.mu.Lock() // the reader takes one byte and no more before the end
			_, _ = p.out.WriteString("!")
			until(t, "the reader's turn", func() bool {
				n, err := unix.IoctlGetInt(int(p.out.Fd()), unix.TIOCINQ)
				return n == 0 || err != nil
			})
			_, _ = p.out.WriteString(text)
			p.end(code(0))
			for range 1000 {
				runtime.Gosched() // the reader is interrupted now
			}
			term.mu.Unlock()
			wait(t, term)
			if got := term.Output().Text; got != "said\n!"+text {
				t.Errorf("%d bytes of %d", len(got), len(text)+6)
			}
			p.out.Close()
		})
	}
	rounds.Wait()
}
