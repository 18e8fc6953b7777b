//go:build linux

package terminalproxy

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

//
func TestWhatCannotBeStartedIsAnErrorAndTakesNoPlace(t *testing.T) {
	r := runner(t, Config{})
	dir := t.TempDir()
	file, gone, text := filepath.Join(dir, "file"), filepath.Join(dir, "gone"), filepath.Join(dir, "text")
	touch(t, file)
	if err := os.WriteFile(text, []byte("no program\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(gone, link); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		spec Spec
		is   error
		says string
	}{
		{"empty", Spec{Command: " ", Cwd: dir}, ErrInvalid, "empty"},
		{"not found", Spec{Command: "no-such-program", Cwd: dir}, fs.ErrNotExist, "no-such-program"},
		{"path not found", Spec{Command: gone, Cwd: dir}, fs.ErrNotExist, gone},
		{"not executable", Spec{Command: file, Cwd: dir}, fs.ErrPermission, "not executable"},
		{"a folder", Spec{Command: dir, Cwd: dir}, fs.ErrPermission, "folder"},
		{"no program", Spec{Command: text, Cwd: dir}, fs.ErrPermission, "not a program"},
		{"too big", Spec{Command: "echo", Args: []string{strings.Repeat("x", 200_000)}, Cwd: dir}, syscall.E2BIG, "128 KiB"},
		{"NUL", Spec{Command: "echo", Args: []string{"a\x00b"}, Cwd: dir}, ErrInvalid, "NUL"},
		{"no folder", Spec{Command: "true"}, ErrInvalid, "cwd"},
		{"relative folder", Spec{Command: "true", Cwd: "src"}, ErrInvalid, "relative"},
		{"folder gone", Spec{Command: "true", Cwd: gone}, fs.ErrNotExist, "no such file or directory"},
		{"folder is a file", Spec{Command: "true", Cwd: file}, nil, "not a folder"},
		{"folder is a broken link", Spec{Command: "true", Cwd: link}, fs.ErrNotExist, "no such file or directory"},
		{"env without a name", Spec{Command: "true", Cwd: dir, Env: []EnvVar{{"", "x"}}}, ErrInvalid, "env[0]"},
		{"env with = in a name", Spec{Command: "true", Cwd: dir, Env: []EnvVar{{"A=B", "x"}}}, ErrInvalid, `"A=B"`},
		{"env with NUL", Spec{Command: "true", Cwd: dir, Env: []EnvVar{{"A", "x\x00y"}}}, ErrInvalid, "NUL"},
		{"env with NUL in a name", Spec{Command: "true", Cwd: dir, Env: []EnvVar{{"A\x00", "x"}}}, ErrInvalid, "env[0]"},
		{"env with a newline in a name", Spec{Command: "true", Cwd: dir, Env: []EnvVar{{"A\nB", "x"}}}, ErrInvalid, "env[0]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.spec.Session = "s"
			_, err := r.Create(t.Context(), c.spec)
			if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v", err)
			}
			if list := r.List(""); len(list) != 0 {
				t.Errorf("a terminal is left: %+v", list)
			}
		})
	}
	for range MaxTerminals { // none of these errors took a place
		create(t, r, Spec{Command: "sleep", Args: []string{"60"}})
	}
}

//
func TestTooManyTerminals(t *testing.T) {
	r := runner(t, Config{})
	var last *Terminal
	for _, session := range []string{"a", "b", "c", "d"} {
		for range MaxTerminals {
			last = create(t, r, Spec{Session: session, Command: "sleep", Args: []string{"60"}})
		}
		if _, err := r.Create(t.Context(), Spec{Session: session, Command: "true", Cwd: "/"}); !errors.Is(err, ErrTooManyTerminals) || !strings.Contains(err.Error(), "32") {
			t.Fatalf("terminal %d: %v", MaxTerminals+1, err)
		}
	}
	if _, err := r.Create(t.Context(), Spec{Session: "e", Command: "true", Cwd: "/"}); !errors.Is(err, ErrTooManyTerminals) || !strings.Contains(err.Error(), "128") {
		t.Fatalf("terminal %d: %v", MaxTerminalsInAll+1, err)
	}
	if n := len(r.List("")); n != MaxTerminalsInAll {
		t.Errorf("%d are listed", n)
	}
	for range 20 { // the place is free when Release returns, not a moment later
		if err := last.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		last = create(t, r, Spec{Session: "e", Command: "true"})
	}
	r.CloseSession("a")
	for range MaxTerminals - 1 {
		create(t, r, Spec{Session: "e", Command: "true"})
	}
}

func TestCreateUnderACancelledContextRunsNothing(t *testing.T) {
	r := runner(t, Config{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Create(ctx, Spec{Session: "s", Command: "true", Cwd: "/"}); !errors.Is(err, context.Canceled) {
		t.Errorf("create: %v", err)
	}
	if n := len(r.List("")); n != 0 {
		t.Errorf("%d terminals", n)
	}
}
