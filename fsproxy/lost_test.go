package fsproxy

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// TestAFileWhoseBufferIsLostIsNotWritten: an editor whose changes cannot be followed may hold unsaved text; the disk in
// front of it is left alone until the file is opened or closed again.
func TestAFileWhoseBufferIsLostIsNotWritten(t *testing.T) {
	dir := t.TempDir()
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	path := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(path, []byte("one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	onDisk, err := disk.Open([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	defer onDisk.Close()
	o := NewOverlay(onDisk)
	f := New(Config{Disk: onDisk, Overlay: o})
	defer f.Close()
	o.Open(path, 5, "one\n")
	if err := o.Change(path, 3, []Edit{{Full: true, New: "unsaved\n"}}); err == nil {
		t.Fatal("an older version was believed")
	}
	write := func() error {
		_, err := f.Write(context.Background(), WriteRequest{Path: path, Text: "ONE\n"})
		return err
	}
	if err := write(); !errors.Is(err, ErrLost) {
		t.Fatalf("written in front of a buffer nobody knows: %v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != "one\n" {
		t.Fatalf("the disk was touched: %q", b)
	}
	o.Close(path)
	if err := write(); err != nil {
		t.Fatalf("after the buffer is closed: %v", err)
	}
}
