//go:build linux

package guard

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

const patience = await.Limit // a condition that is not met by then never will be

// ways are the two ways to start something.
var ways = map[string][]string{"guardian": {"self", "guard"}, "plain": nil}

func each(t *testing.T, f func(t *testing.T, start func(act string, args ...string) Config)) {
	for name, prefix := range ways {
		t.Run(name, func(t *testing.T) {
			f(t, func(act string, args ...string) Config {
				cfg := Config{Argv: append([]string{self()}, args...), Env: append(os.Environ(), actVar+"="+act)}
				if prefix != nil {
					cfg.Self = []string{self(), "guard"}
				}
				return cfg
			})
		})
	}
}

// launch starts cfg with its output in a pipe, and ends it with the test.
func launch(t *testing.T, cfg Config) (*Process, *bufio.Reader) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cfg.Stdout = w
	p, err := Start(cfg)
	w.Close()
	if err != nil {
		r.Close()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		r.Close()
	})
	return p, bufio.NewReader(r)
}

func wait(t *testing.T, p *Process) Exit {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	e, err := p.Wait(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// until waits for a condition and returns how long it took.
func until(t *testing.T, what string, cond func() bool) time.Duration {
	t.Helper()
	from := time.Now()
	await.Until(t, what, cond)
	return time.Since(from)
}

func alive(pid int) bool {
	return slices.ContainsFunc(processes(), func(p process) bool { return p.pid == pid })
}

func anyAlive(pids []int) bool { return slices.ContainsFunc(pids, alive) }

// readTree reads the ids that the act "tree" prints, until it is complete.
func readTree(t *testing.T, out *bufio.Reader, n int) []int {
	t.Helper()
	var pids []int
	for ready := false; !ready || len(pids) < n; {
		line, err := out.ReadString('\n')
		if err != nil {
			t.Fatalf("after %v: %v", pids, err)
		}
		var pid int
		if _, err := fmt.Sscanf(line, "%d", &pid); err == nil {
			pids = append(pids, pid)
		}
		ready = ready || line == "ready\n"
	}
	return pids
}

func TestExitOfTheProgramIsReported(t *testing.T) {
	each(t, func(t *testing.T, start func(string, ...string) Config) {
		for _, c := range []struct {
			act, arg string
			want     Exit
		}{
			{"exit", "0", Exit{}},
			{"exit", "3", Exit{Code: 3}},
			{"exit", "255", Exit{Code: 255}},
			{"die", "9", Exit{Code: -1, Signal: "SIGKILL"}},
			{"die", "15", Exit{Code: -1, Signal: "SIGTERM"}},
		} {
			p, _ := launch(t, start(c.act, c.arg))
			if got := wait(t, p); got != c.want {
				t.Errorf("%s %s: got %+v, want %+v", c.act, c.arg, got, c.want)
			}
			if again := wait(t, p); again != c.want {
				t.Errorf("%s %s: the second Wait says %+v", c.act, c.arg, again)
			}
		}
		cfg := start("")
		cfg.Argv = []string{"sh", "-c", "kill -40 $$"} // a signal without a name
		p, _ := launch(t, cfg)
		if got := wait(t, p); got.Signal != "SIG40" {
			t.Errorf("got %+v", got)
		}
	})
}

func TestStdioArgvEnvAndFolderPassThrough(t *testing.T) {
	each(t, func(t *testing.T, start func(string, ...string) Config) {
		r, w, _ := os.Pipe()
		cfg := start("cat")
		cfg.Stdin = r
		p, out := launch(t, cfg)
		r.Close()
		fmt.Fprint(w, "hello")
		w.Close()
		if got, _ := io.ReadAll(out); string(got) != "hello" {
			t.Errorf("echo: %q", got)
		}
		wait(t, p)

		args := []string{"", "--", "-x", "a b", "$(x)", "\n", strings.Repeat("é", 50_000)}
		_, out = launch(t, start("argv", args...))
		if got, _ := io.ReadAll(out); string(got) != fmt.Sprintf("%q", args) {
			t.Errorf("argv: %.200s", got)
		}

		cfg = start("env")
		cfg.Env = []string{actVar + "=env", "GOMAXPROCS=2", "EMPTY=", "A=1", "A=2"}
		_, out = launch(t, cfg)
		if got, _ := io.ReadAll(out); string(got) != actVar+"=env\nGOMAXPROCS=2\nEMPTY=\nA=2" {
			t.Errorf("env: %q", got)
		}

		cfg = start("pwd")
		cfg.Dir = t.TempDir()
		_, out = launch(t, cfg)
		if got, _ := io.ReadAll(out); string(got) != cfg.Dir {
			t.Errorf("pwd: %q, want %q", got, cfg.Dir)
		}
	})
}

func TestInheritedDescriptorsAndSignalsStayBehind(t *testing.T) {
	each(t, func(t *testing.T, start func(string, ...string) Config) {
		// What an editor could leak into us: descriptors without close-on-exec.
		var leaked []int
		for range 3 {
			fd, err := syscall.Open(os.DevNull, syscall.O_RDONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			leaked = append(leaked, fd)
		}
		defer func() {
			for _, fd := range leaked {
				syscall.Close(fd)
			}
		}()
		if start("x").Self == nil {
			CloseOnExec()
		}
		cfg := start("")
		cfg.Argv = []string{"ls", "/proc/self/fd"} // the last one is the listing itself
		_, out := launch(t, cfg)
		if got, _ := io.ReadAll(out); string(got) != "0\n1\n2\n3\n" {
			t.Errorf("the program holds %q", got)
		}
		_, out = launch(t, start("signals"))
		const want = "0000000000000000 0000000000000000"
		if got, _ := io.ReadAll(out); string(got) != want {
			t.Errorf("blocked and ignored signals: %s, want %s", got, want)
		}
	})
}

func TestExitIsToldAlthoughBackgroundProcessesLive(t *testing.T) {
	each(t, func(t *testing.T, start func(string, ...string) Config) {
		p, out := launch(t, start("leave", "3"))
		if got := wait(t, p); got.Code != 3 {
			t.Errorf("got %+v", got)
		}
		var pids []int
		for range 2 {
			var pid int
			if _, err := fmt.Fscanln(out, &pid); err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
		for _, pid := range pids {
			if !alive(pid) {
				t.Errorf("%d did not survive the end of the program", pid)
			}
		}
		if _, ok := p.tree.(*guarded); !ok {
			for _, pid := range pids { // without a guardian the setsid one is out of reach
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
			return
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		if anyAlive(pids) {
			t.Error("something outlived Close")
		}
	})
}

func TestEndOfOutputIsNotHeldByTheGuardian(t *testing.T) {
	p, out := launch(t, Config{Self: []string{self(), "guard"}, Argv: []string{"/bin/sh", "-c", "echo hi; exec >&-; read x; exit 4"}})
	if got, _ := io.ReadAll(out); string(got) != "hi\n" {
		t.Errorf("got %q", got)
	}
	wait(t, p)
}

func TestWaitEndsWithItsContext(t *testing.T) {
	each(t, func(t *testing.T, start func(string, ...string) Config) {
		p, _ := launch(t, start("wait"))
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := p.Wait(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
