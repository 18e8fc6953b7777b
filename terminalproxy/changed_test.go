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
	run("export HARMLESS=1; cd /")
	if got := s.Changed("s", "x"); len(got) > 0 {
		t.Errorf("after something harmless: %v", got)
	}
	run("export PATH=$PWD:$PATH LD_PRELOAD=")
	if got := s.Changed("s", "x"); len(got) != 2 || got[0].Name != "PATH" && got[1].Name != "PATH" {
		t.Errorf("after another PATH: %v", got)
	}
	if got := s.Changed("s", "other"); got != nil {
		t.Errorf("another shell: %v", got)
	}
}
