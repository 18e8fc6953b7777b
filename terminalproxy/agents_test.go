//go:build linux

package terminalproxy

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// kimi-code 2.1.0: argv of a shell, four variables, the largest limit; waits at once in one request and polls the
// output in others while that is open; then output and release.
func TestKimiCodesCalls(t *testing.T) {
	var rec recorder
	r := runner(t, Config{OnOutput: rec.take})
	dir := t.TempDir()
	gate := filepath.Join(dir, "gate")
	term := create(t, r, Spec{
		Session: "kimi", Command: "/bin/bash", Cwd: dir, SessionCwd: "/", Limit: u64(4194304),
		Args: []string{"-c", "cd '" + dir + "' && echo one; until [ -e gate ]; do sleep 0.01; done; echo two; exit 2"},
		Env:  []EnvVar{{"NO_COLOR", "1"}, {"TERM", "dumb"}, {"GIT_TERMINAL_PROMPT", "0"}, {"SHELL", "/bin/bash"}},
	})
	exit := make(chan Exit, 1)
	go func() {
		e, _ := term.Wait(t.Context())
		exit <- e
	}()
	until(t, "a poll that sees the first line", func() bool {
		o := term.Output()
		return o.Text == "one\n" && o.Exit == nil && !o.Truncated
	})
	touch(t, gate)
	if e := <-exit; !sameExit(e, code(2)) {
		t.Errorf("exit %v", e)
	}
	if o := term.Output(); o.Text != "one\ntwo\n" || o.Exit == nil || !sameExit(*o.Exit, code(2)) {
		t.Errorf("output %+v", o)
	}
	if err := term.Release(t.Context()); err != nil {
		t.Error(err)
	}
	if o, ok := r.Kept("kimi", term.ID()); !ok || o.Text != "one\ntwo\n" {
		t.Errorf("the tool call shows %q after the release", o.Text)
	}
	until(t, "the last event", rec.ended(term.ID()))
}

// kimi-code on cancel: kill, output, release, with its wait still open.
func TestKimiCodesCancel(t *testing.T) {
	r := runner(t, Config{})
	term := create(t, r, Spec{Session: "kimi", Command: "/bin/bash", Args: []string{"-c", "echo $$; sleep 60"}, Cwd: t.TempDir(), Limit: u64(4194304)})
	exit := make(chan Exit, 1)
	go func() {
		e, _ := term.Wait(t.Context())
		exit <- e
	}()
	pid := pids(t, term, 1)[0]
	if err := term.Kill(t.Context()); err != nil {
		t.Error(err)
	}
	if o := term.Output(); o.Exit == nil || o.Exit.String() != "SIGTERM" || o.Exit.Code != nil {
		t.Errorf("output after the kill: %+v", o)
	}
	if err := term.Release(t.Context()); err != nil {
		t.Error(err)
	}
	if e := <-exit; e.String() != "SIGTERM" || alive(pid) {
		t.Errorf("the open wait was told %v, alive %v", e, alive(pid))
	}
}

// claude-code-acp 0.16.2: the whole line as the command, no args, no cwd; create, wait, output, release.
func TestClaudeCodeACPsCalls(t *testing.T) {
	r := runner(t, Config{})
	dir := t.TempDir()
	term := create(t, r, Spec{
		Session: "claude", Command: "echo hi; touch y.txt; echo there; echo $CLAUDECODE", SessionCwd: dir,
		Env: []EnvVar{{"CLAUDECODE", "1"}}, Limit: u64(32000),
	})
	if e := wait(t, term); !sameExit(e, code(0)) {
		t.Errorf("exit %v", e)
	}
	if o := term.Output(); o.Text != "hi\nthere\n1\n" {
		t.Errorf("output %q", o.Text)
	}
	if found, _ := filepath.Glob(dir + "/y.txt"); len(found) != 1 {
		t.Error("it did not run in the session's folder")
	}
	if err := term.Release(t.Context()); err != nil {
		t.Error(err)
	}
}

// claude-code-acp 0.16.2 on cancel: release and no kill, with its wait still open.
func TestClaudeCodeACPsCancel(t *testing.T) {
	r := runner(t, Config{})
	term := create(t, r, Spec{Session: "claude", Command: "tail -f /dev/null", SessionCwd: t.TempDir(), Limit: u64(32000)})
	exit := make(chan Exit, 1)
	go func() {
		e, _ := term.Wait(t.Context())
		exit <- e
	}()
	begin := time.Now()
	if err := term.Release(t.Context()); err != nil {
		t.Error(err)
	}
	if e := <-exit; e.String() != "SIGTERM" || alive(term.PID()) {
		t.Errorf("the open wait was told %v after %v", e, time.Since(begin))
	}
	if _, err := r.Get("claude", term.ID()); !errors.Is(err, ErrUnknownTerminal) {
		t.Error(err)
	}
}

// codex-acp and pi show terminals that they never asked us for: unknown, and no harm.
func TestForeignTerminalIDsAreUnknown(t *testing.T) {
	r := runner(t, Config{})
	if _, err := r.Get("codex", "call_0_1795213511940826312"); !errors.Is(err, ErrUnknownTerminal) || strings.Contains(err.Error(), "call_0") {
		t.Error(err)
	}
	if _, ok := r.Kept("codex", "call_0_1795213511940826312"); ok {
		t.Error("kept")
	}
}
