//go:build linux

package terminalproxy

import (
	"context"
	"strings"
	"testing"
)

func ttyRunner(t *testing.T) *Runner {
	t.Helper()
	return runner(t, Config{TTY: true, Env: []string{"PATH=/usr/bin:/bin", "TERM=dumb", "PAGER=less"}})
}

// ttyRun runs a line of the shell in a pseudo-terminal.
func ttyRun(t *testing.T, line string) (Output, Exit) {
	t.Helper()
	term, err := ttyRunner(t).Create(context.Background(), Spec{Session: "s", Command: line, Cwd: t.TempDir(), Shell: true})
	if err != nil {
		t.Fatal(err)
	}
	exit, err := term.Wait(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return term.Output(), exit
}

// The user who watches sees what a terminal would show: the command writes to one, and has still no keyboard.
func TestTerminalForAPersonIsOneToWriteToOnly(t *testing.T) {
	out, exit := ttyRun(t, `[ -t 1 ] && [ -t 2 ] && echo shown; [ -t 0 ] || echo no input; (: </dev/tty) 2>/dev/null || echo no keyboard; echo $TERM $PAGER; stty size <&1; exit 3`)
	if want := "shown\nno input\nno keyboard\nxterm-256color cat\n40 120\n"; out.Text != want {
		t.Errorf("output %q, want %q", out.Text, want)
	}
	if !sameExit(exit, code(3)) {
		t.Errorf("exit %v", exit)
	}
}

// The bytes are the same as through a pipe: no carriage returns are added, and nothing is lost at the end.
func TestTerminalForAPersonKeepsTheBytes(t *testing.T) {
	out, exit := ttyRun(t, `head -c 900000 /dev/zero | tr '\0' x; printf 'a\nb\tc\nlast'`)
	if want := strings.Repeat("x", 900000) + "a\nb\tc\nlast"; out.Text != want || out.Truncated {
		t.Errorf("%d bytes, want %d; ends in %q", len(out.Text), len(want), out.Text[max(0, len(out.Text)-20):])
	}
	if !sameExit(exit, code(0)) {
		t.Errorf("exit %v", exit)
	}
}

// Exits are told as with a pipe: a background child does not hold them back, a killed tree is gone.
func TestTerminalForAPersonEndsAsAPipeDoes(t *testing.T) {
	out, exit := ttyRun(t, `sleep 300 & echo started`)
	if out.Text != "started\n" || !sameExit(exit, code(0)) {
		t.Errorf("%q, %v", out.Text, exit)
	}
	r := ttyRunner(t)
	term, err := r.Create(context.Background(), Spec{Session: "s", Command: self(t), Args: []string{"act", "ignore"}, Cwd: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the command to be ready", func() bool { return term.Output().Text == "ready\n" })
	if err := term.Kill(context.Background()); err != nil {
		t.Error(err)
	}
	if exit, _ := term.Wait(context.Background()); !sameExit(exit, signalled("SIGKILL")) {
		t.Errorf("exit %v", exit)
	}
}
