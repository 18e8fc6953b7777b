package fsproxy_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/fsproxytest"
)

// world is a folder on the real disk, an editor and an FS over both.
type world struct {
	t       *testing.T
	dir     string
	disk    *disk.Disk
	overlay *fsproxy.Overlay
	editor  *fsproxytest.Editor
	watcher *fsproxy.Watcher
	fs      *fsproxy.FS
	begun   []string // before → after, as Begin was told
}

// eachWorld runs a test with and without the watcher: nothing may depend on it.
func eachWorld(t *testing.T, kind fsproxytest.Kind, f func(w *world)) {
	for _, watch := range []bool{false, true} {
		t.Run(map[bool]string{false: "no watcher", true: "watcher"}[watch], func(t *testing.T) { f(newWorld(t, kind, watch)) })
	}
}

func newWorld(t *testing.T, kind fsproxytest.Kind, watch bool) *world {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: dir}
	if w.disk, err = disk.Open([]string{dir}); err != nil {
		t.Fatal(err)
	}
	w.overlay = fsproxy.NewOverlay(w.disk)
	w.editor = fsproxytest.New(kind, w.overlay, fsproxytest.Folder{})
	w.editor.Auto = true
	if watch {
		if w.watcher, err = fsproxy.NewWatcher(w.overlay, zerolog.Nop()); err != nil {
			t.Fatal(err)
		}
	}
	w.fs = fsproxy.New(fsproxy.Config{Disk: w.disk, Overlay: w.overlay, Editor: w.editor, Watcher: w.watcher, Log: zerolog.Nop()})
	t.Cleanup(func() {
		w.fs.Close()
		if w.watcher != nil {
			if err := w.watcher.Close(); err != nil {
				t.Error(err)
			}
		}
		if err := w.disk.Close(); err != nil {
			t.Error(err)
		}
		left, _ := filepath.Glob(filepath.Join(dir, ".copilot-bridge-*"))
		if len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	return w
}

func (w *world) path(name string) string { return filepath.Join(w.dir, name) }

// put writes a file as another program would.
func (w *world) put(name, s string) string {
	if err := os.WriteFile(w.path(name), []byte(s), 0o644); err != nil {
		w.t.Fatal(err)
	}
	return w.path(name)
}

func (w *world) onDisk(name string) string {
	b, err := os.ReadFile(w.path(name))
	if err != nil {
		return "!" + err.Error()
	}
	return string(b)
}

func (w *world) inBuffer(name string) string {
	s, open := w.editor.Text(w.path(name))
	if !open {
		return "!not open"
	}
	if snap, _ := w.overlay.Lookup(w.path(name)); snap == nil || snap.Text.String() != s {
		w.t.Errorf("the overlay does not have the buffer's text %q", s)
	}
	return s
}

func (w *world) begin(before *fsproxy.Snapshot, after string) error {
	was := "none"
	if before.Exists {
		was = before.Text.String()
	}
	w.begun = append(w.begun, was+" → "+after)
	return nil
}

func (w *world) read(reader, name string) string {
	w.t.Helper()
	s, err := w.fs.Read(w.t.Context(), reader, w.path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	return s.Text.String()
}

func (w *world) write(reader, name, s string) (*fsproxy.WriteResult, error) {
	return w.fs.Write(w.t.Context(), fsproxy.WriteRequest{Reader: reader, Path: w.path(name), Text: s, Begin: w.begin})
}

func (w *world) edit(name, old, new string) (*fsproxy.WriteResult, error) {
	return w.fs.Edit(w.t.Context(), fsproxy.EditRequest{Reader: "r", Path: w.path(name), Old: old, New: new, Begin: w.begin})
}

func (w *world) want(what, got, want string) {
	w.t.Helper()
	if got != want {
		w.t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func (w *world) ok(r *fsproxy.WriteResult, err error) *fsproxy.WriteResult {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}
