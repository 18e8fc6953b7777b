package disk

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// Nothing but a regular file is opened, and saying so takes no time, whatever is
// there and no matter who is at its other end.
func TestOnlyRegularFiles(t *testing.T) {
	d, root := diskOn(t)
	if err := unix.Mkfifo(root+"/pipe", 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(root+"/folder", 0o755); err != nil {
		t.Fatal(err)
	}
	// A socket's path must be short; the test folder's need not be.
	t.Chdir(root)
	l, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	tree(t, root, "null -> /dev/null", "zero -> /dev/zero", "tty -> /dev/tty", "memory -> /proc/self/mem",
		"version -> /proc/version", "environ -> /proc/self/environ", "sys -> /sys/kernel/notes", "self -> /proc/self",
		"stdin -> /proc/self/fd/0", "cwd -> /proc/self/cwd/folder", "linked-pipe -> pipe")
	goroutines := runtime.NumGoroutine()
	for _, name := range []string{"pipe", "linked-pipe", "socket", "folder", "null", "zero", "tty", "memory", "version", "environ", "sys", "self", "cwd", "stdin"} {
		path := filepath.Join(root, name)
		r, err := d.Resolve(path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		view := d
		if r.Outside {
			view = d.WithOutside(r.Real)
		}
		hash := text.New("").Hash()
		start := time.Now()
		_, readErr := view.Read(t.Context(), path)
		_, saveErr := view.Save(t.Context(), path, SaveRequest{Text: "x", Expect: &hash})
		removeErr := view.Remove(t.Context(), r.Real, &hash)
		if took := time.Since(start); took > await.Promptly {
			t.Errorf("%s took %v", name, took)
		}
		for op, err := range map[string]error{"read": readErr, "save": saveErr, "remove": removeErr} {
			// What a process has under /proc may be gone, or read-only, before anybody
			// gets as far as asking what it is.
			switch {
			case err == nil:
				t.Errorf("%s of %s succeeded", op, name)
			case r.Outside && (errors.Is(err, ErrReadOnly) || errors.Is(err, ErrNotExist)):
			case !errors.Is(err, ErrNotRegular):
				t.Errorf("%s of %s: %v", op, name, err)
			}
		}
	}
	if now := runtime.NumGoroutine(); now > goroutines {
		t.Errorf("%d goroutines, %d before", now, goroutines)
	}
}

// A kernel file with a plain name has no size to go by, and is refused all the same.
func TestKernelFilesAreNotText(t *testing.T) {
	d, _ := diskOn(t)
	_, err := d.WithOutside("/proc/version").Read(t.Context(), "/proc/version")
	if !errors.Is(err, ErrNotRegular) {
		t.Error(err)
	}
}

// A pipe that takes the place of a folder or file between the look and the open.
func TestAPipePutInTheWayDoesNotHold(t *testing.T) {
	for step, victim := range map[string]string{"resolved": "sub", "looked": "sub/f"} {
		d, root := diskOn(t)
		tree(t, root, "sub/f")
		d.testOnlyStep = func(now string) {
			if now != step {
				return
			}
			if err := os.RemoveAll(filepath.Join(root, victim)); err != nil {
				t.Error(err)
			}
			if err := unix.Mkfifo(filepath.Join(root, victim), 0o644); err != nil {
				t.Error(err)
			}
		}
		start := time.Now()
		_, err := d.Read(t.Context(), root+"/sub/f")
		if err == nil || time.Since(start) > await.Promptly {
			t.Errorf("%s: %v after %v", victim, err, time.Since(start))
		}
	}
}
