//go:build linux

package terminalproxy

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
	"github.com/copilot-bridge/copilot-bridge/internal/guard"
	"github.com/copilot-bridge/copilot-bridge/internal/twin"
)

// TestMain makes this binary its own guardian and its own helper programs, and checks that the tests leave no
// goroutine, no descriptor and no process behind.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "guard":
			os.Exit(guard.Main(os.Args[2:]))
		case "act":
			act(os.Args[2:])
			os.Exit(0)
		}
	}
	before := openFiles()
	goleak.VerifyTestMain(twin.With(await.Watch(m)), goleak.Cleanup(func(code int) {
		if after := openFiles(); code == 0 && len(after) > len(before) {
			fmt.Printf("descriptors left open: before %q, after %q\n", before, after)
			code = 1
		}
		if left := children(); code == 0 && left != "" {
			fmt.Println("processes left running:", left)
			code = 1
		}
		os.Exit(code)
	}))
}

// act is what the helper program does.
func act(args []string) {
	n := func(i int) int { v, _ := strconv.Atoi(args[i]); return v }
	switch args[0] {
	case "flood": // flood BYTES of text as fast as it goes
		line := bytes.Repeat([]byte("the quick brown fox jumps over the lazy dog, 0123456789 times.\n"), 1024)
		for left := n(1); left > 0; {
			w, err := os.Stdout.Write(line[:min(left, len(line))])
			if err != nil {
				os.Exit(9)
			}
			left -= w
		}
	case "ignore": // ignore TERM and say so
		signal.Ignore(syscall.SIGTERM)
		fmt.Println("ready")
		select {}
	case "gated": // write, wait for a file, write more: gated FILE FIRST SECOND
		fmt.Print(args[2])
		for tick := time.NewTicker(time.Millisecond); ; <-tick.C {
			if _, err := os.Stat(args[1]); err == nil {
				break
			}
		}
		fmt.Print(args[3])
	}
}

// openFiles lists our descriptors and what they are, without the one that lists them. Linux only, else nothing.
func openFiles() []string {
	runtime.GC() // finalizers of forgotten files would hide nothing: they are found before they run
	d, err := os.Open("/proc/self/fd")
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	var list []string
	for _, name := range names {
		to, err := os.Readlink("/proc/self/fd/" + name)
		if err == nil && name != strconv.Itoa(int(d.Fd())) && !strings.HasPrefix(to, "anon_inode:") && !strings.HasPrefix(to, "/sys/fs/cgroup/") {
			list = append(list, name+" "+to)
		}
	}
	return list
}

// children lists the child processes of this one.
func children() string {
	files, _ := filepath.Glob("/proc/self/task/*/children")
	var all []string
	for _, f := range files {
		data, _ := os.ReadFile(f)
		all = append(all, strings.Fields(string(data))...)
	}
	return strings.Join(all, " ")
}

// self is what runs the parts that this binary plays.
func self(t testing.TB) string {
	exe, err := twin.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// runner is a Runner with a real guardian, closed at the end of the test.
func runner(t testing.TB, cfg Config) *Runner {
	t.Helper()
	if cfg.Env == nil {
		cfg.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LANG=C.UTF-8"}
	}
	if raceDetector {
		cfg.Env = append(cfg.Env, "GORACE=atexit_sleep_ms=0") // else each guardian takes a second to end
	}
	cfg.Guard = []string{self(t), "guard"}
	r := New(cfg)
	t.Cleanup(r.Close)
	return r
}

func create(t testing.TB, r *Runner, spec Spec) *Terminal {
	t.Helper()
	if spec.Session == "" {
		spec.Session = "s"
	}
	if spec.Cwd == "" && spec.SessionCwd == "" {
		spec.Cwd = t.TempDir()
	}
	term, err := r.Create(t.Context(), spec)
	if err != nil {
		t.Fatalf("create %q: %v", spec.Command, err)
	}
	return term
}

// bash runs a line.
func bash(t testing.TB, r *Runner, line string) *Terminal {
	t.Helper()
	return create(t, r, Spec{Command: line, Shell: true})
}

func wait(t testing.TB, term *Terminal) Exit {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), await.Limit)
	defer cancel()
	e, err := term.Wait(ctx)
	if err != nil {
		t.Fatalf("wait for %q: %v; output %q", term.Info().Command, err, escape.Head(term.Output().Text, 1000))
	}
	return e
}

// until waits for a condition that another process makes true.
func until(t testing.TB, what string, cond func() bool) {
	t.Helper()
	await.Until(t, what, cond)
}

func alive(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	return !strings.HasPrefix(rest, "Z")
}

// pids reads the numbers that a command printed, one a line, once there are n.
func pids(t testing.TB, term *Terminal, n int) []int {
	t.Helper()
	var list []int
	until(t, fmt.Sprintf("%d process ids in %q", n, term.Info().Command), func() bool {
		list = nil
		lines := bufio.NewScanner(strings.NewReader(term.Output().Text))
		for lines.Scan() {
			if pid, err := strconv.Atoi(lines.Text()); err == nil {
				list = append(list, pid)
			}
		}
		return len(list) >= n
	})
	return list
}

func touch(t testing.TB, path string) {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func code(n uint32) Exit { return Exit{Code: &n} }

func sameExit(a, b Exit) bool { return a.String() == b.String() }

func (t *Terminal) pidText() string { return strconv.Itoa(t.PID()) }
