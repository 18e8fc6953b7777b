package lend

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rs/zerolog"
)

// host is an editor with one buffer.
type host struct {
	mu   sync.Mutex
	path string
	text string
}

func (h *host) LendRead(path string) (string, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text, path == h.path
}

func (h *host) LendWrite(_ context.Context, _, base, text string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if base != h.text {
		return errors.New("the buffer has changed")
	}
	h.text = text
	return nil
}

func lent(t *testing.T) (h *host, dir, folder string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "lend") // short: the path of a unix socket has at most 104 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	folder = t.TempDir()
	h = &host{path: filepath.Join(folder, "sub", "a.txt"), text: "unsaved\n"}
	l, err := Open(dir, []string{folder}, h, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return h, dir, folder
}

func TestWhatIsOpenIsLent(t *testing.T) {
	h, dir, folder := lent(t)
	b := NewBorrower(dir)
	ctx := context.Background()
	if text, ok, err := b.Read(ctx, h.path); text != "unsaved\n" || !ok || err != nil {
		t.Errorf("read %q %v %v", text, ok, err)
	}
	if _, ok, err := b.Read(ctx, filepath.Join(folder, "closed.txt")); ok || err != nil {
		t.Errorf("a file that is not open: %v %v", ok, err)
	}
	if _, ok, err := b.Read(ctx, filepath.Join(t.TempDir(), "a.txt")); ok || err != nil {
		t.Errorf("a file of nobody's: %v %v", ok, err)
	}
	if ok, err := b.Write(ctx, h.path, "unsaved\n", "agent\n"); !ok || err != nil || h.text != "agent\n" {
		t.Errorf("write %v %v, holds %q", ok, err, h.text)
	}
	if ok, err := b.Write(ctx, h.path, "unsaved\n", "again\n"); !ok || err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("a stale write: %v %v", ok, err)
	}
	if ok, err := b.Write(ctx, filepath.Join(folder, "closed.txt"), "", "x"); ok || err != nil {
		t.Errorf("a write to what is not open: %v %v", ok, err)
	}
}

func TestOnlyTheUserGetsIn(t *testing.T) {
	_, dir, folder := lent(t)
	for path, want := range map[string]os.FileMode{filepath.Join(dir, "lend"): 0o700, socketFor(dir, folder): 0o600} {
		if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != want {
			t.Errorf("%s: %v %v", path, fi.Mode(), err)
		}
	}
}

func TestASecondLenderLeavesTheFolderToTheFirst(t *testing.T) {
	h, dir, folder := lent(t)
	second, err := Open(dir, []string{folder}, &host{path: h.path, text: "other"}, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	second.Close()
	if text, ok, err := NewBorrower(dir).Read(context.Background(), h.path); text != "unsaved\n" || !ok || err != nil {
		t.Errorf("read %q %v %v", text, ok, err)
	}
}

func TestALenderThatWasKilledIsNoObstacle(t *testing.T) {
	h, dir, folder := lent(t)
	other := t.TempDir()
	stale := socketFor(dir, other)
	if err := os.WriteFile(stale, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := NewBorrower(dir).Read(context.Background(), filepath.Join(other, "a")); ok || err != nil {
		t.Errorf("borrowed of nobody: %v %v", ok, err)
	}
	l, err := Open(dir, []string{other}, h, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if _, err := os.Lstat(stale); err == nil {
		t.Error("the socket is left")
	}
	_ = folder
}
