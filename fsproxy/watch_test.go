package fsproxy_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/internal/await"
)

// watched is a folder with a watcher that tells a channel.
func watched(t *testing.T) (dir string, o *fsproxy.Overlay, w *fsproxy.Watcher, told chan string) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	onDisk, err := disk.Open([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	o = fsproxy.NewOverlay(onDisk)
	if w, err = fsproxy.NewWatcher(o, zerolog.Nop()); err != nil {
		t.Fatal(err)
	}
	told = make(chan string, 100)
	w.Subscribe(func(path string) { told <- filepath.Base(path) })
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if err := onDisk.Close(); err != nil {
			t.Error(err)
		}
	})
	return dir, o, w, told
}

func write(t *testing.T, path, s string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(s), 0o644); err != nil {
		t.Fatal(err)
	}
}

// hear waits until want is told of. Files of before may be told of again: one write is several changes, and a busy machine
// puts time between them.
func hear(t *testing.T, told <-chan string, want string, before ...string) {
	t.Helper()
	late := time.After(await.Limit)
	for {
		select {
		case got := <-told:
			if got == want {
				return
			}
			if !slices.Contains(before, got) {
				t.Errorf("told of %s, want %s", got, want)
			}
		case <-late:
			t.Fatalf("never told of %s", want)
		}
	}
}

func TestWatcherTellsOfOpenAndTouchedFiles(t *testing.T) {
	dir, o, w, told := watched(t)
	open, touched, other := filepath.Join(dir, "open"), filepath.Join(dir, "touched"), filepath.Join(dir, "other")
	write(t, open, "1")
	o.Open(open, 1, "1")
	w.Touch(touched)
	write(t, other, "1") // nobody's business
	write(t, open, "2")
	hear(t, told, "open")
	write(t, touched+"~", "1") // as most programs save
	if err := os.Rename(touched+"~", touched); err != nil {
		t.Fatal(err)
	}
	hear(t, told, "touched", "open")
	if err := os.Remove(touched); err != nil {
		t.Fatal(err)
	}
	hear(t, told, "touched")
	o.Close(open)
	write(t, open, "3") // closed, so that only the next is told of
	write(t, touched, "1")
	hear(t, told, "touched")
}

func TestWatcherTellsOnceOfManyChanges(t *testing.T) {
	dir, _, w, told := watched(t)
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	w.Touch(a)
	began := time.Now()
	const changes = 50
	for i := range changes {
		write(t, a, fmt.Sprint(i))
	}
	hear(t, told, "a")
	w.Touch(b)
	write(t, b, "1")
	// Each telling collects for the quiet time, one after another, so there are no more than fit into the time it took: one,
	// unless the machine stops in the midst of the changes.
	for times := 1; ; times++ {
		if took := time.Since(began); took < time.Duration(times)*fsproxy.WatchQuiet {
			t.Fatalf("told %d times within %v", times, took)
		}
		select {
		case got := <-told:
			if got == "b" {
				return
			}
		case <-time.After(await.Limit):
			t.Fatal("never told of b")
		}
	}
}

func TestWatcherForgetsOldFilesAndMissingFolders(t *testing.T) {
	dir, _, w, told := watched(t)
	w.Touch(filepath.Join(dir, "none", "x"))
	old := filepath.Join(dir, "old", "x")
	if err := os.Mkdir(filepath.Dir(old), 0o755); err != nil {
		t.Fatal(err)
	}
	w.Touch(old)
	for i := range 300 {
		w.Touch(filepath.Join(dir, fmt.Sprint("f", i)))
	}
	write(t, old, "1")
	last := filepath.Join(dir, "f299")
	write(t, last, "1")
	hear(t, told, "f299")

	// A folder that is made later is watched from the next touch on.
	late := filepath.Join(dir, "late", "x")
	w.Touch(late)
	if err := os.Mkdir(filepath.Dir(late), 0o755); err != nil {
		t.Fatal(err)
	}
	w.Touch(late)
	write(t, late, "1")
	hear(t, told, "x", "f299")
}

// A buffer whose text somebody else puts on disk is clean, as soon as it is told.
func TestWatcherKeepsDirtyRight(t *testing.T) {
	w := newWorld(t, 0, true)
	p := w.put("a", "one\n")
	w.editor.Open(p)
	w.editor.Type(p, 0, "typed\n")
	w.put("a", "typed\none\n")
	s, err := w.overlay.Wait(t.Context(), p, func(s *fsproxy.Snapshot) bool { return !s.Dirty })
	if err != nil || s.Text.String() != "typed\none\n" {
		t.Error(err)
	}
}
