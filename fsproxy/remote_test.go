package fsproxy_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// readsOnly is an editor that reads files for others and writes none; before it says so, something else happens.
type readsOnly struct{ before func() }

func (readsOnly) ReadText(_ context.Context, path string) (string, bool, error) {
	b, err := os.ReadFile(path)
	return string(b), false, err
}

func (readsOnly) OwnText(context.Context, string) (string, error) { return "", fsproxy.ErrNotServed }

func (readsOnly) ReadsDisk(context.Context, string) {}

func (r readsOnly) WriteText(context.Context, string, string, string) error {
	r.before()
	return fsproxy.ErrNotServed
}

// TestWhatReachesTheDiskMeanwhileStays: between the read of a file and its save, where the editor leaves the save to the
// disk, another program writes it.
func TestWhatReachesTheDiskMeanwhileStays(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	put := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("a\nb\n")
	onDisk, err := disk.Open([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	defer onDisk.Close()
	times := 0
	f := fsproxy.New(fsproxy.Config{Disk: onDisk, Overlay: fsproxy.NewOverlay(onDisk), Log: zerolog.Nop(), Remote: readsOnly{func() {
		if times++; times == 1 {
			put("a\nb\ntheirs\n")
		}
	}}})
	defer f.Close()
	if _, err := f.Edit(t.Context(), fsproxy.EditRequest{Reader: "r", Path: path, Old: "a\n", New: "ours\n"}); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(path); string(b) != "ours\nb\ntheirs\n" {
		t.Errorf("the disk holds %q", b)
	}
}
