package terminalproxy

import (
	"context"
	"testing"
)

func TestWhatCommandsLeaveInAShellIsNamed(t *testing.T) {
	r := New(Config{Env: []string{"PATH=/usr/bin:/bin", "PAGER=less"}})
	defer r.Close()
	s := NewShells(r)
	dir := t.TempDir()
	run := func(command string) {
		t.Helper()
		if _, err := s.Bash(context.Background(), ShellCall{Session: "s", ShellID: "x", Command: command, Cwd: dir}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.Changed("s", "x"); got != nil {
		t.Errorf("a new shell: %v", got)
	}
	run("cd /; not_exported=1")
	if got := s.Changed("s", "x"); len(got) > 0 {
		t.Errorf("after another folder: %v", got)
	}
	run("export GCC_EXEC_PREFIX=/x/")
	if got := s.Changed("s", "x"); len(got) != 1 || got[0] != (EnvVar{"GCC_EXEC_PREFIX", "/x/"}) {
		t.Errorf("after a variable that is on no list: %v", got)
	}
	run("export PATH=$PWD:$PATH LD_PRELOAD=")
	if got := s.Changed("s", "x"); len(got) != 3 {
		t.Errorf("after another PATH: %v", got)
	}
	if got := s.Changed("s", "other"); got != nil {
		t.Errorf("another shell: %v", got)
	}
}
