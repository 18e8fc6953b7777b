//go:build linux

package terminalproxy

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
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

// The texts are those that Copilot CLI 1.0.102 answers with.
func TestAnswersAreCopilotsOwn(t *testing.T) {
	d := newDesk(t, Config{})
	for i, c := range []struct{ command, want string }{
		{"echo hi", "hi\n<shellId: 0 completed with exit code 0>"},
		{"true", "\n<shellId: 1 completed with exit code 0>"},
		{"false", "\n<shellId: 2 completed with exit code 1>"},
		{"exit 3", "\n<shellId: 3 completed with exit code 3>"},
		{"echo out; echo err >&2; exit 2", "out\nerr\n<shellId: 4 completed with exit code 2>"},
		{"printf nonl", "nonl\n<shellId: 5 completed with exit code 0>"},
		{"pwd", d.cwd + "\n<shellId: 6 completed with exit code 0>"},
		{"nosuchcmd", "/BASH: line 1: nosuchcmd: command not found\n<shellId: 7 completed with exit code 127>"},
		{"true\n\nnosuchcmd", "/BASH: line 3: nosuchcmd: command not found\n<shellId: 8 completed with exit code 127>"},
		{`printf '\033[31mred\033[0m\n'`, "red\n<shellId: 9 completed with exit code 0>"},
		{`printf 'a\rb\n'`, "a\rb\n<shellId: 10 completed with exit code 0>"},
		{`printf '\xff\xfe\n'`, "\ufffd\ufffd\n<shellId: 11 completed with exit code 0>"},
		{"tty; cat", "not a tty\n<shellId: 12 completed with exit code 0>"},
		{"kill -9 $$", "\n<shellId: 13 completed with exit code 137 (SIGKILL)>"},
		{"x=$(sleep 0.01); exit 255", "\n<shellId: 14 completed with exit code 255>"},
		{"   ", "the command is empty; nothing was run"},
		{`printf "\n\n  a  \n\n"`, "a\n<shellId: 16 completed with exit code 0>"},
		{`for i in 1 2; do echo $i; done` + "\n" + `echo "multi` + "\n" + `line"`, "1\n2\nmulti\nline\n<shellId: 17 completed with exit code 0>"},
		{"# only a comment", "\n<shellId: 18 completed with exit code 0>"},
		{"echo $# $1; cat <<'E'\n$x 'y'\nE", "0\n$x 'y'\n<shellId: 19 completed with exit code 0>"},
	} {
		got, err := d.s.Bash(t.Context(), ShellCall{Session: "s", Command: c.command, Cwd: d.cwd}, nil)
		if err != nil {
			got = err.Error()
		}
		got = regexp.MustCompile(`(?m)^/\S*bash: `).ReplaceAllString(got, "/BASH: ")
		if got != c.want {
			t.Errorf("%d %q:\n got %q\nwant %q", i, c.command, got, c.want)
		}
	}
	if got := d.call(ShellCall{Command: ""}); got != "No command provided. Please supply a valid command to execute." {
		t.Errorf("no command: %q", got)
	}
	if got := d.in("", "if then"); !strings.Contains(got, "syntax error") || !strings.HasSuffix(got, "completed with exit code 2>") {
		t.Errorf("syntax error: %q", got)
	}
}

func TestShellKeepsItsFolderAndEnvironment(t *testing.T) {
	d := newDesk(t, Config{})
	for _, dir := range []string{"src", "with space'\"$x"} {
		if err := os.Mkdir(filepath.Join(d.cwd, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	src := filepath.Join(d.cwd, "src")
	d.says("keep", "cd src; export FOO=1; BAR=2; pwd", src)
	if got := d.s.Cwd("s", "keep", "/"); got != src {
		t.Errorf("Cwd %q", got)
	}
	d.says("keep", `pwd; echo "foo=$FOO bar=$BAR"`, src+"\nfoo=1 bar=")
	d.says("", `pwd; echo "foo=$FOO"`, d.cwd+"\nfoo=")
	d.says("other", `echo "foo=$FOO"`, "foo=")
	d.says("keep", "unset FOO; export MULTI=$'a\\nb=c\\n' EMPTY=; cd ..", "")
	d.says("keep", `printf '%s|%s|%s|%s' "$FOO" "$MULTI" "${EMPTY-unset}" "$PWD"`, "|a\nb=c\n||"+d.cwd)
	d.says("keep", `cd 'with space'"'"'"$x'`, "")
	d.says("keep", "pwd; cd -", d.cwd+"/with space'\"$x\n"+d.cwd)
	d.says("keep", "echo $SHLVL; env | grep -c __cb_", "1\n0")
	if list := d.s.List("s"); list != "<no active shell sessions>" {
		t.Error(list)
	}
}

// Whatever way a command ends, its folder and environment are known to the next, or are those before it; and the
// next one runs.
func TestShellSurvivesEveryEndOfACommand(t *testing.T) {
	d := newDesk(t, Config{})
	if err := os.Mkdir(filepath.Join(d.cwd, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	sub := filepath.Join(d.cwd, "sub")
	for i, c := range []struct {
		command string
		kept    bool   // what `cd sub; export N=1` did is there afterwards
		says    string // the answer has this
	}{
		{"exit 3", true, "exit code 3>"},
		{"exec true", true, "exit code 0>"},
		{"exec sh -c 'echo replaced; exit 4'", true, "replaced\n<shellId: N completed with exit code 4>"},
		{"exec > log; echo into the log", true, "\n<shellId: N completed with exit code 0>"},
		{"set -e; false; echo not here", true, "\n<shellId: N completed with exit code 1>"},
		{"set -eu; : $nothing_set; echo not here", true, "exit code 1>"},
		{"set -o pipefail; false | true", true, "exit code 1>"},
		{"set -x; :", true, "+ :\n<shellId: N completed with exit code 0>"},
		{"set -C; set -f; IFS=:; umask 777", true, "exit code 0>"},
		{"trap 'echo bye' EXIT; echo hi", true, "hi\nbye\n<shellId"},
		{"trap 'echo bye $?' EXIT; exit 5", true, "bye 5\n<shellId: N completed with exit code 5>"},
		{"trap 'exit 6' EXIT", true, "exit code 6>"},
		{"trap 'echo a' EXIT; trap - EXIT; trap", true, "exit code 0>"},
		{"trap -- 'echo zero' 0; set -e; false", true, "zero\n<shellId: N completed with exit code 1>"},
		{"trap 'echo caught' ERR; false; true", true, "caught\n<shellId"},
		{"( trap 'echo inner' EXIT; cd /; exit 1 )", true, "inner\n<shellId: N completed with exit code 1>"},
		{"( exit 7 )", true, "exit code 7>"},
		{"return 3", true, "can only `return' from a function or sourced script\n<shellId: N completed with exit code 2>"},
		{"printf() { :; }; cd() { :; }; builtin true", true, "exit code 0>"},
		{"PATH=; :", true, "exit code 0>"},
		{"if then", true, ""}, // a syntax error: nothing runs, and what this shell had is kept
		{"kill -TERM $$", true, "(SIGTERM)>"},
		{"kill -9 $$", false, "exit code 137 (SIGKILL)>"},
		{"exec 1>&- 2>&-; true", true, "exit code 0>"},
		{"sleep 50 & disown; true", true, "exit code 0>"},
	} {
		shell := fmt.Sprint("x", i)
		command := "cd sub; export N=1; " + c.command
		if c.command == "if then" {
			d.in(shell, "cd sub; export N=1")
			command = c.command
		}
		got := strings.ReplaceAll(d.in(shell, command), "shellId: "+shell, "shellId: N")
		if !strings.Contains(got, c.says) {
			t.Errorf("%s: %q, want %q in it", c.command, got, c.says)
		}
		want := sub + "\nN=1"
		if !c.kept {
			want = d.cwd + "\nN="
		}
		after, _, _ := strings.Cut(d.in(shell, `pwd; echo "N=$N"`), "\n<shellId: ")
		if after != want {
			t.Errorf("after %s: %q, want %q", c.command, after, want)
		}
	}
}

func TestShellWhoseFolderIsGoneStartsAgain(t *testing.T) {
	d := newDesk(t, Config{})
	d.in("a", "mkdir sub; cd sub; export N=1")
	if err := os.Remove(filepath.Join(d.cwd, "sub")); err != nil {
		t.Fatal(err)
	}
	want := "[The folder " + d.cwd + "/sub of this shell is gone. The command was run in " + d.cwd + ".]\n" + d.cwd + "\nN=1\n<shellId: a completed with exit code 0>"
	if got := d.in("a", `pwd; echo "N=$N"`); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got := d.in("a", "true"); got != "\n<shellId: a completed with exit code 0>" {
		t.Errorf("the note comes twice: %q", got)
	}
}

func TestPlainShStandsInForBash(t *testing.T) {
	bin := t.TempDir()
	for _, name := range []string{"env", "cat", "sleep", "mkdir"} {
		if err := os.Symlink("/usr/bin/"+name, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	d := newDesk(t, Config{Env: []string{"PATH=" + bin}})
	old := bashNames
	bashNames = nil
	t.Cleanup(func() { bashNames = old })
	d.says("a", "mkdir sub; cd sub; export FOO='a\nb'; echo ${BASH_VERSION-no bash}", "no bash")
	d.says("a", `pwd; echo "$FOO"`, d.cwd+"/sub\na\nb")
	if got := d.in("a", "export FOO=2; exit 3"); got != "\n<shellId: a completed with exit code 3>" {
		t.Error(got)
	}
	d.says("a", `echo "$FOO"`, "2")
	d.says("a", "export FOO=3; set -e; false", "")
	d.says("a", `echo "$FOO"`, "3")
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
	if d := time.Since(begin); d > 4*time.Second {
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

// Copilot hides a result of more than 20,480 bytes from the model.
func TestLongOutputIsBeginningAndEndAndACount(t *testing.T) {
	d := newDesk(t, Config{})
	for _, c := range []struct{ name, command, first, last string }{
		{"lines", "seq 1 6000", "1\n2\n3\n", "5999\n6000"},
		{"more than is kept", "seq 1 1000000; echo tail-mark", "1\n2\n3\n", "1000000\ntail-mark"},
		{"one line", "head -c 40000 /dev/zero | tr '\\0' x", "xxx", "xxx"},
		{"not UTF-8", "head -c 3000000 /dev/zero | tr '\\0' 'é'; echo; echo tail-mark", "\ufffd\ufffd", "\ufffd\ntail-mark"},
		{"four bytes each", "for i in $(seq 9000); do printf 🙂; done", "🙂🙂", "🙂🙂"},
		{"coloured", `for i in $(seq 5000); do printf '\033[32m%d\033[0m\n' $i; done`, "1\n2\n", "4999\n5000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, last, _ := strings.Cut(d.in("", c.command), "\n<shellId: ")
			if n := len(text) + len(last) + 11; n > MaxShellResult || n < MaxShellResult-4096 || !utf8.ValidString(text) {
				t.Errorf("%d bytes, valid %v", n, utf8.ValidString(text))
			}
			if !strings.HasPrefix(text, c.first) || !strings.HasSuffix(text, c.last) || strings.Contains(text, "\x1b") {
				t.Errorf("%q … %q", text[:20], text[len(text)-20:])
			}
			if !regexp.MustCompile(`\n\n\[\d+ bytes in \d+ lines left out here\. .*\]\n\n`).MatchString(text) {
				t.Error("nothing says that something is left out")
			}
		})
	}
	text := d.in("", "seq 1 6000")
	var bytes, lines int
	i := strings.Index(text, "\n\n[")
	if _, err := fmt.Sscanf(text[i+3:], "%d bytes in %d lines", &bytes, &lines); err != nil {
		t.Fatal(err)
	}
	shown := strings.Split(text[:i]+"\n"+text[strings.Index(text, "see them.]\n\n")+12:strings.Index(text, "\n<shellId")], "\n")
	if len(shown)+lines != 6000 {
		t.Errorf("%d lines shown and %d left out of 6000", len(shown), lines)
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

func TestNothingIsLeftInTheTemporaryFolder(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	d := newDesk(t, Config{})
	d.in("", "true")
	found, _ := filepath.Glob(tmp + "/*")
	if len(found) != 1 {
		t.Fatal(found)
	}
	if info, err := os.Stat(found[0]); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if inside, _ := os.ReadDir(found[0]); len(inside) != 0 {
		t.Error(inside)
	}
	d.r.Close()
	if found, _ := filepath.Glob(tmp + "/*"); len(found) != 0 {
		t.Error(found)
	}
}

func TestStateFileThatIsNotOursIsIgnored(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		data string
		ok   bool
	}{
		"empty":         {"", false},
		"cut":           {"state\x00/tmp\x00A=1\x00", false},
		"whole":         {"state\x00/tmp\x00A=1\x00_=x\x00SHLVL=3\x00PWD=/x\x00A=2\x00broken\x00\x00", true},
		"relative":      {"state\x00tmp\x00A=1\x00\x00", false},
		"another start": {"other\x00/tmp\x00A=1\x00\x00", false},
		"too large":     {"state\x00/tmp\x00A=" + strings.Repeat("x", maxState) + "\x00\x00", false},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(c.data), 0o600); err != nil {
			t.Fatal(err)
		}
		st, ok := readState(path)
		if ok != c.ok || ok && (st.cwd != "/tmp" || fmt.Sprint(st.env) != "[A=2]") {
			t.Errorf("%s: %+v, %v", name, st, ok)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "whole"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"link", "no such file", "."} {
		if _, ok := readState(filepath.Join(dir, name)); ok {
			t.Errorf("%s was read", name)
		}
	}
}
