//go:build linux

package terminalproxy

import (
	"strings"
	"sync"
	"testing"
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
			_, _ = p.out.WriteString(text)
			p.end(code(0))
			wait(t, term)
			if got := term.Output().Text; got != "said\n"+text {
				t.Errorf("%d bytes of %d", len(got), len(text)+5)
			}
			p.out.Close()
		})
	}
	rounds.Wait()
}
