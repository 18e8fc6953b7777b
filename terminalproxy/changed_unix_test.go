//go:build unix

package terminalproxy

import (
	"context"
	"errors"
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
	run("unset PAGER; unset LD_PRELOAD; OLDPWD=/x; export OLDPWD")
	if got := s.Changed("s", "x"); len(got) != 3 || got[2] != (EnvVar{Name: "unset PAGER"}) {
		t.Errorf("after PAGER is gone: %v", got)
	}
	if got := Surprising([]EnvVar{{Name: "unset npm_config_ignore_scripts"}, {Name: "unset FOO"}}); len(got) != 1 {
		t.Errorf("surprising: %v", got)
	}
	if got := s.Changed("s", "other"); got != nil {
		t.Errorf("another shell: %v", got)
	}
}

// TestAShellThatHasChangedStartsNothing: another command in it has ended since the user was shown what it has.
func TestAShellThatHasChangedStartsNothing(t *testing.T) {
	r := New(Config{Env: []string{"PATH=/usr/bin:/bin"}})
	defer r.Close()
	s := NewShells(r)
	dir := t.TempDir()
	none, one := []EnvVar(nil), []EnvVar{{"A", "1"}}
	for _, c := range []struct {
		line, cwd string
		shown     *[]EnvVar
		refused   bool
	}{
		{"export A=1", dir, &none, false},
		{"true", dir, &none, true},
		{"true", dir, &one, false},
		{"cd /", dir, &one, false},
		{"true", dir, &one, true},
		{"true", "/", &one, false},
	} {
		_, err := s.Bash(t.Context(), ShellCall{Session: "s", ShellID: "x", Command: c.line, Cwd: c.cwd, Shown: c.shown}, nil)
		if errors.Is(err, ErrShellChanged) != c.refused {
			t.Errorf("%s in %s: %v", c.line, c.cwd, err)
		}
	}
}
