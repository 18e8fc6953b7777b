//go:build linux

package terminalproxy

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
	"github.com/copilot-bridge/copilot-bridge/internal/guard"
)

func u64(n uint64) *uint64 { return &n }

// R-51 with a real command; the limits of ACP's outputByteLimit.
func TestOutputLimit(t *testing.T) {
	r := runner(t, Config{})
	for _, c := range []struct {
		name      string
		limit     *uint64
		text      string
		truncated bool
	}{
		{"all of it", u64(100), "aé🙂\n", false},
		{"exactly", u64(8), "aé🙂\n", false},
		{"one less", u64(7), "é🙂\n", true},
		{"inside a character", u64(4), "\n", true},
		{"nothing", u64(0), "", true},
		{"the default", nil, "aé🙂\n", false},
		{"more than we give", u64(1 << 60), "aé🙂\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			term := create(t, r, Spec{Command: "printf", Args: []string{"aé🙂\n"}, Limit: c.limit})
			wait(t, term)
			if o := term.Output(); o.Text != c.text || o.Truncated != c.truncated || o.Exit == nil {
				t.Errorf("got %+v", o)
			}
			if err := term.Release(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

//
func TestBytesThatAreNotTextAreReplaced(t *testing.T) {
	term := bash(t, runner(t, Config{}), `printf '\xc3'; sleep 0.01; printf '\xa9\xff'; printf '\xe2\x82'`)
	wait(t, term)
	if o := term.Output(); o.Text != "é\ufffd\ufffd\ufffd" {
		t.Errorf("got %+v", o)
	}
}

//
func TestBackgroundChildDoesNotHoldTheExitBack(t *testing.T) {
	r := runner(t, Config{})
	term := bash(t, r, "echo before; sleep 60 & echo $!; exit 3")
	pid := pids(t, term, 1)[0]
	begin := time.Now()
	if e := wait(t, term); !sameExit(e, code(3)) {
		t.Errorf("exit %v", e)
	}
	if d := time.Since(begin); d > await.Promptly { // the child is there for a minute
		t.Errorf("the exit came after %v", d)
	}
	if o := term.Output(); !strings.HasPrefix(o.Text, "before\n") || !alive(pid) {
		t.Errorf("output %q, child alive %v", o.Text, alive(pid))
	}
	if err := term.Release(t.Context()); err != nil || alive(pid) {
		t.Errorf("release: %v, the child lives: %v", err, alive(pid))
	}
}

func TestWhatAChattyBackgroundChildWritesDoesNotHoldTheExitBack(t *testing.T) {
	term := bash(t, runner(t, Config{}), "yes & echo mark; exit 4")
	if e := wait(t, term); !sameExit(e, code(4)) {
		t.Errorf("exit %v", e)
	}
}

func TestLastWordsThroughAnotherProcessAreWaitedFor(t *testing.T) {
	term := bash(t, runner(t, Config{}), "exec > >(cat); echo through; sleep 30 & exit 0")
	wait(t, term)
	if o := term.Output(); o.Text != "through\n" {
		t.Errorf("got %q", o.Text)
	}
}

func TestOutputAfterTheExitStaysReadable(t *testing.T) {
	gate := filepath.Join(t.TempDir(), "gate")
	term := bash(t, runner(t, Config{}), self(t)+" act gated "+gate+" one two & exit 0")
	wait(t, term)
	touch(t, gate)
	until(t, "what the child writes later", func() bool { return strings.HasSuffix(term.Output().Text, "two") })
}

//
func TestKillEndsWhatIgnoresTERM(t *testing.T) {
	term := create(t, runner(t, Config{}), Spec{Command: self(t), Args: []string{"act", "ignore"}})
	until(t, "the handler", func() bool { return term.Output().Text == "ready\n" })
	begin := time.Now()
	if err := term.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(begin); d < guard.KillGrace || d > guard.KillGrace+await.Promptly {
		t.Errorf("after %v", d)
	}
	if o := term.Output(); o.Exit == nil || o.Exit.String() != "SIGKILL" || o.Exit.Code != nil {
		t.Errorf("exit %v", o.Exit)
	}
}

//
func TestReleaseEndsTheWholeTree(t *testing.T) {
	r := runner(t, Config{})
	term := bash(t, r, "setsid sleep 301 & echo $!; (setsid sleep 302 & echo $!) ; sleep 303 & echo $!; wait")
	tree := pids(t, term, 3)
	if err := term.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, pid := range tree {
		if alive(pid) {
			t.Errorf("%d lives", pid)
		}
	}
	if e := wait(t, term); e.Signal == nil {
		t.Errorf("a waiter is told %v", e)
	}
}

//
func TestWhatIsValidAfterKillAndAfterRelease(t *testing.T) {
	r := runner(t, Config{})
	ctx := t.Context()
	killed := bash(t, r, "echo here; sleep 60")
	until(t, "output", func() bool { return killed.Output().Text != "" })
	if err := killed.Kill(ctx); err != nil {
		t.Error("kill:", err)
	}
	if err := killed.Kill(ctx); err != nil {
		t.Error("kill after kill:", err)
	}
	if got, err := r.Get("s", killed.ID()); err != nil || got != killed {
		t.Error("the id is gone after a kill:", err)
	}
	if o := killed.Output(); o.Text != "here\n" || o.Exit.String() != "SIGTERM" {
		t.Errorf("output after kill: %+v", o)
	}

	ended := bash(t, r, "exit 0")
	wait(t, ended)
	if err := ended.Kill(ctx); err != nil {
		t.Error("kill after exit:", err)
	}
	if e := wait(t, ended); !sameExit(e, code(0)) {
		t.Errorf("kill after exit changed it to %v", e)
	}

	if err := killed.Release(ctx); err != nil {
		t.Error("release:", err)
	}
	if _, err := r.Get("s", killed.ID()); !errors.Is(err, ErrUnknownTerminal) {
		t.Error("get after release:", err)
	}
	if err := killed.Release(ctx); !errors.Is(err, ErrReleased) {
		t.Error("release after release:", err)
	}
	if err := killed.Kill(ctx); !errors.Is(err, ErrReleased) {
		t.Error("kill after release:", err)
	}
	if e := wait(t, killed); e.String() != "SIGTERM" {
		t.Errorf("wait after release: %v", e)
	}
	if o, ok := r.Kept("s", killed.ID()); !ok || o.Text != "here\n" || o.Exit == nil {
		t.Errorf("the output is not kept: %+v, %v", o, ok)
	}
	for _, id := range []string{"", "term-0", "call_1", killed.ID() + "x"} {
		if _, err := r.Get("s", id); !errors.Is(err, ErrUnknownTerminal) {
			t.Errorf("id %q: %v", id, err)
		}
	}
	if _, err := r.Get("another session", ended.ID()); !errors.Is(err, ErrUnknownTerminal) {
		t.Error("another session has the terminal:", err)
	}
}

//
func TestExitStatus(t *testing.T) {
	r := runner(t, Config{})
	for line, want := range map[string]string{
		"exit 0": "exit code 0", "exit 255": "exit code 255", "kill -KILL $$": "SIGKILL", "kill -SEGV $$": "SIGSEGV",
		"no-such-program-here": "exit code 127",
	} {
		term := bash(t, r, line)
		if e := wait(t, term); e.String() != want || (e.Code == nil) == (e.Signal == nil) {
			t.Errorf("%s: %v, want %s", line, e, want)
		}
	}
	stopped := bash(t, r, "echo $$; kill -STOP $$; exit 5")
	pid := pids(t, stopped, 1)[0]
	until(t, "the stop", func() bool {
		stat, _ := os.ReadFile("/proc/" + stopped.pidText() + "/stat")
		return strings.Contains(string(stat), ") T ")
	})
	if o := stopped.Output(); o.Exit != nil {
		t.Errorf("stopped is not ended: %v", o.Exit)
	}
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if e := wait(t, stopped); !sameExit(e, code(5)) {
		t.Errorf("exit %v", e)
	}
}

//
func TestStandardInputIsEmpty(t *testing.T) {
	term := create(t, runner(t, Config{}), Spec{Command: "cat"})
	if e := wait(t, term); !sameExit(e, code(0)) {
		t.Errorf("exit %v", e)
	}
}

// S-61
func TestNothingButThreeDescriptorsIsInherited(t *testing.T) {
	term := bash(t, runner(t, Config{}), `for f in /proc/$$/fd/*; do [ -e $f ] && printf "${f##*/} " && readlink $f; done`)
	wait(t, term)
	lines := strings.Split(strings.TrimSpace(term.Output().Text), "\n")
	if len(lines) != 3 || lines[0] != "0 /dev/null" || !strings.HasPrefix(lines[1], "1 pipe:") || !strings.HasPrefix(lines[2], "2 pipe:") {
		t.Errorf("the command has %q", lines)
	}
}

func TestWaitEndsWithItsContextAndTheCommandGoesOn(t *testing.T) {
	term := create(t, runner(t, Config{}), Spec{Command: "sleep", Args: []string{"60"}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := term.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("wait: %v", err)
	}
	if o := term.Output(); o.Exit != nil || !alive(term.PID()) {
		t.Errorf("the command ended: %v", o.Exit)
	}
}

func TestCloseEndsEverythingAndRefusesMore(t *testing.T) {
	r := runner(t, Config{})
	term := bash(t, r, "sleep 60 & echo $!; setsid sleep 61 & echo $!; wait")
	tree := append(pids(t, term, 2), term.PID())
	r.Close()
	r.Close()
	for _, pid := range tree {
		if alive(pid) {
			t.Errorf("%d lives", pid)
		}
	}
	if _, err := r.Create(t.Context(), Spec{Session: "s", Command: "true", Cwd: "/"}); !errors.Is(err, ErrClosed) {
		t.Errorf("create after close: %v", err)
	}
	if _, err := r.Get("s", term.ID()); !errors.Is(err, ErrUnknownTerminal) {
		t.Errorf("get after close: %v", err)
	}
}
