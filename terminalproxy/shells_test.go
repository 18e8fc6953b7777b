//go:build linux

package terminalproxy

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// desk is a session's shell tools.
type desk struct {
	t   testing.TB
	r   *Runner
	s   *Shells
	cwd string
}

func newDesk(t testing.TB, cfg Config) *desk {
	r := runner(t, cfg)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &desk{t: t, r: r, s: NewShells(r), cwd: dir}
}

func (d *desk) call(c ShellCall) string {
	d.t.Helper()
	c.Session, c.Cwd = "s", d.cwd
	text, err := d.s.Bash(d.t.Context(), c, nil)
	if err != nil {
		d.t.Fatalf("bash %q: %v", c.Command, err)
	}
	return text
}

// in runs a command in a shell.
func (d *desk) in(shell, command string) string {
	d.t.Helper()
	return d.call(ShellCall{Command: command, ShellID: shell})
}

// says runs a command and compares what it printed.
func (d *desk) says(shell, command, want string) {
	d.t.Helper()
	got, last, _ := strings.Cut(d.in(shell, command), "\n<shellId: ")
	if got != want {
		d.t.Errorf("%s: %q (%s, want %q", command, got, last, want)
	}
}

func (d *desk) read(shell string, delay time.Duration) string {
	d.t.Helper()
	text, err := d.s.Read(d.t.Context(), "s", shell, delay)
	if err != nil {
		d.t.Fatal(err)
	}
	return text
}

func TestSyncCommandOutlivesItsWaitAndIsReadLater(t *testing.T) {
	clock := &manualClock{now: time.Now()}
	d := newDesk(t, Config{Clock: clock})
	gate := filepath.Join(d.cwd, "gate")
	done := make(chan string)
	go func() {
		text, _ := d.s.Bash(t.Context(), ShellCall{Session: "s", Command: self(t) + " act gated " + gate + " start end", Cwd: d.cwd, InitialWait: 10 * time.Second}, nil)
		done <- text
	}()
	until(t, "the output", func() bool {
		list := d.r.List("s")
		if len(list) == 0 {
			return false
		}
		term, err := d.r.Get("s", list[0].ID)
		return err == nil && term.Output().Text == "start" && clock.waits(10*time.Second)
	})
	clock.pass(10 * time.Second)
	running := "start\n<command with shellId: 0 is still running after %d seconds. The command is still running. Use read_bash to continue waiting for output, or stop_bash to stop it.>"
	if got := <-done; got != fmt.Sprintf(running, 10) {
		t.Errorf("bash: %q", got)
	}
	if got := d.in("0", "echo busy"); got != "<command with shellId: 0 is already running, wait for output with read_bash, stop it with stop_bash tool>" {
		t.Errorf("a second command: %q", got)
	}
	go func() { done <- d.read("0", 4*time.Second) }()
	until(t, "the read waits", func() bool { return clock.waits(4 * time.Second) })
	clock.pass(4 * time.Second)
	if got := <-done; got != fmt.Sprintf(running, 4) {
		t.Errorf("read_bash: %q", got)
	}
	info := d.r.List("s")[0]
	want := fmt.Sprintf("Active shell sessions:\n  shellId: 0, pid: %d, mode: sync, status: running, elapsed: 14s, commands: 1, unread output: yes\n    current command: %s", info.PID, info.Command)
	if got := d.s.List("s"); got != want {
		t.Errorf("list_bash %q\nwant %q", got, want)
	}
	go func() { done <- d.read("0", 100*time.Second) }()
	touch(t, gate)
	if got := <-done; got != "startend\n<shellId: 0 completed with exit code 0>" {
		t.Errorf("read_bash to the end: %q", got)
	}
	if got := d.read("0", 0); got != "shellId: 0 was reclaimed and is no longer available.\n\n<no active shell sessions>" {
		t.Errorf("read_bash after the end: %q", got)
	}
	if got := d.read("nosuch", 0); got != "shellId: nosuch not found or was never created. Please supply a valid shell ID.\n\n<no active shell sessions>" {
		t.Errorf("read_bash of nothing: %q", got)
	}
	d.says("0", "echo again", "again")
}

func TestAsyncCommand(t *testing.T) {
	d := newDesk(t, Config{})
	if got := d.call(ShellCall{Command: "echo $$; sleep 60", ShellID: "mine", Async: true}); got != "<command started in background with shellId: mine>" {
		t.Error(got)
	}
	if got := d.call(ShellCall{Command: "exit 4", Async: true, Detach: true}); got != "<command started in background with shellId: 0>\nIt is not detached: like every command it ends with the session." {
		t.Error(got)
	}
	if got := d.read("0", time.Minute); got != "\n<shellId: 0 completed with exit code 4>" {
		t.Error(got)
	}
	term, err := d.r.Get("s", d.r.List("s")[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	pid := pids(t, term, 1)[0]
	for range 2 {
		if got, err := d.s.Stop(t.Context(), "s", "mine"); err != nil || got != "<command with id: mine stopped>" {
			t.Error(got, err)
		}
		if alive(pid) {
			t.Error("it lives")
		}
		if got := d.read("mine", 0); got != "shellId: mine was already stopped via stop_bash.\n\n<no active shell sessions>" {
			t.Error(got)
		}
	}
	d.says("mine", "echo again", "again")
	d.call(ShellCall{Command: "echo ended", ShellID: "e", Async: true})
	until(t, "its end", func() bool { return strings.Contains(d.s.List("s"), "mode: async, status: completed (exit code: 0)") })
	d.says("e", "echo next", "next")
}

func TestSeveralCommandsAtOnce(t *testing.T) {
	d := newDesk(t, Config{})
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			text, err := d.s.Bash(t.Context(), ShellCall{Session: "s", Command: fmt.Sprintf("echo %d; export N=%d", i, i), Cwd: d.cwd, ShellID: fmt.Sprint("p", i)}, nil)
			if want := fmt.Sprintf("%d\n<shellId: p%d completed with exit code 0>", i, i); err != nil || text != want {
				t.Errorf("%q, %v, want %q", text, err, want)
			}
		})
	}
	all.Wait()
	for i := range 8 {
		d.says(fmt.Sprint("p", i), "echo $N", fmt.Sprint(i))
	}
}

func TestCancelledCallKillsTheTree(t *testing.T) {
	d := newDesk(t, Config{})
	ctx, cancel := context.WithCancel(t.Context())
	var term *Terminal
	begun := make(chan struct{})
	done := make(chan error)
	go func() {
		_, err := d.s.Bash(ctx, ShellCall{
			Session: "s", Command: "trap '' TERM; setsid sleep 301 & echo $!; sleep 302 & echo $!; wait", Cwd: d.cwd, InitialWait: 2 * time.Minute,
			Started: func(tm *Terminal) { term = tm; close(begun) },
		}, nil)
		done <- err
	}()
	<-begun
	tree := append(pids(t, term, 2), term.PID())
	begin := time.Now()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if d := time.Since(begin); d > await.Promptly {
		t.Errorf("after %v", d)
	}
	for _, pid := range tree {
		if alive(pid) {
			t.Errorf("%d lives", pid)
		}
	}
	if n := len(d.r.List("s")); n != 0 {
		t.Errorf("%d terminals are left", n)
	}
}

func TestBackgroundProcessesGoOnUntilTheirShellIsStopped(t *testing.T) {
	d := newDesk(t, Config{})
	start := func(shell string) int {
		var pid int
		text := d.in(shell, "sleep 60 > /dev/null 2>&1 & echo $!")
		if _, err := fmt.Sscan(text, &pid); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		return pid
	}
	a, b, c := start("a"), start("b"), start("")
	for range maxLeftovers - 4 {
		d.in("", "true")
	}
	if !alive(a) || !alive(b) || !alive(c) {
		t.Fatal("a background process ended with its command")
	}
	if n := len(d.r.List("s")); n != 0 {
		t.Errorf("%d terminals are taken", n)
	}
	if _, err := d.s.Stop(t.Context(), "s", "a"); err != nil {
		t.Error(err)
	}
	if alive(a) || !alive(b) {
		t.Errorf("after stop_bash: a lives %v, b lives %v", alive(a), alive(b))
	}
	d.r.CloseSession("s")
	if alive(b) || alive(c) {
		t.Errorf("after the session: b lives %v, c lives %v", alive(b), alive(c))
	}
}

// A server started in the background serves many later commands.
func TestBackgroundProcessThatSpeaksOutlivesManyCommands(t *testing.T) {
	d := newDesk(t, Config{})
	var pid int
	if _, err := fmt.Sscan(d.in("server", "sleep 60 & echo $!"), &pid); err != nil {
		t.Fatal(err)
	}
	for range maxLeftovers + 5 {
		d.in("", "true")
	}
	if !alive(pid) {
		t.Error("it was ended")
	}
}

func TestProgressComesWhileTheCommandRuns(t *testing.T) {
	d := newDesk(t, Config{})
	gate := filepath.Join(d.cwd, "gate")
	var mu sync.Mutex
	var seen string
	over := false
	text, err := d.s.Bash(t.Context(), ShellCall{Session: "s", Command: self(t) + " act gated " + gate + " first second", Cwd: d.cwd}, func(s string) {
		mu.Lock()
		defer mu.Unlock()
		if over {
			t.Error("called after the answer")
		}
		if seen += s; seen == "first" {
			touch(t, gate)
		}
	})
	mu.Lock()
	defer mu.Unlock()
	over = true
	if err != nil || !strings.HasPrefix(text, "firstsecond\n") || !strings.HasPrefix(seen, "first") {
		t.Errorf("%q, %v; seen %q", text, err, seen)
	}
}

func TestUnreadCommandsMakeRoom(t *testing.T) {
	d := newDesk(t, Config{})
	for i := range MaxTerminals {
		d.call(ShellCall{Command: "exit 0", ShellID: fmt.Sprint("u", i), Async: true})
	}
	until(t, "their ends", func() bool { return strings.Count(d.s.List("s"), "status: completed") == MaxTerminals })
	d.says("", "echo room", "room")
	if got := d.read("u0", 0); !strings.HasPrefix(got, "shellId: u0 was reclaimed") {
		t.Error(got)
	}
	for i := range MaxTerminals - 1 {
		if got := d.read(fmt.Sprint("u", i+1), 0); !strings.HasSuffix(got, "completed with exit code 0>") {
			t.Error(got)
		}
	}
}

func TestTooManyCommandsIsAnErrorTheModelCanActOn(t *testing.T) {
	d := newDesk(t, Config{})
	for range MaxTerminals {
		d.call(ShellCall{Command: "sleep 60", Async: true})
	}
	_, err := d.s.Bash(t.Context(), ShellCall{Session: "s", Command: "true", Cwd: d.cwd}, nil)
	if !errors.Is(err, ErrTooManyTerminals) || !strings.Contains(err.Error(), "stop a command") {
		t.Error(err)
	}
	if list := d.s.List("s"); len(list) > MaxShellResult || strings.Count(list, "shellId") != MaxTerminals {
		t.Error(list)
	}
}

func TestShellsAreForgottenWhenThereAreTooMany(t *testing.T) {
	d := newDesk(t, Config{})
	d.call(ShellCall{Command: "sleep 60", ShellID: "busy", Async: true})
	for i := range MaxShells {
		d.in(fmt.Sprint("x", i), "export N=1")
	}
	d.says("x0", "echo n=$N", "n=")
	d.says(fmt.Sprint("x", MaxShells-1), "echo n=$N", "n=1")
	if !strings.Contains(d.s.List("s"), "shellId: busy") {
		t.Error("a shell with a running command was forgotten")
	}
}

func TestSessionEndTellsWhoeverWaits(t *testing.T) {
	d := newDesk(t, Config{})
	begun := make(chan struct{})
	done := make(chan string)
	go func() {
		text, err := d.s.Bash(t.Context(), ShellCall{Session: "s", Command: "sleep 60", Cwd: d.cwd, Started: func(*Terminal) { close(begun) }}, nil)
		done <- fmt.Sprint(text, err)
	}()
	<-begun
	d.r.CloseSession("s")
	// A bash that is told to end while it is about to start a program notices only afterwards, and is killed then.
	if got := <-done; !regexp.MustCompile(`^\n<shellId: 0 completed with exit code 1(43|37) \(SIG(TERM|KILL)\)><nil>$`).MatchString(got) {
		t.Error(got)
	}
}
