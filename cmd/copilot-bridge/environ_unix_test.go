//go:build unix

package main

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestALogIsAPrivateFile: it goes through no link and into no pipe or device, and one that others could read is theirs no more.
func TestALogIsAPrivateFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.WriteFile(at("other"), []byte("kept"), 0o600), os.Symlink(at("other"), at("link")), os.Symlink(at("nothing"), at("dangling")),
		syscall.Mkfifo(at("pipe"), 0o600), os.Mkdir(at("folder"), 0o700), os.WriteFile(at("open"), []byte("before\n"), 0o600), os.Chmod(at("open"), 0o666),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{at("link"), at("dangling"), at("pipe"), at("folder"), os.DevNull} {
		if _, _, err := logger(name, io.Discard); err == nil {
			t.Errorf("%s is taken for a log", name)
		}
	}
	if b, err := os.ReadFile(at("other")); err != nil || string(b) != "kept" {
		t.Errorf("where the link leads: %q %v", b, err)
	}
	if _, err := os.Lstat(at("nothing")); err == nil {
		t.Error("a file was made through a link")
	}
	log, done, err := logger(at("open"), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	log.Info().Msg("after")
	done()
	fi, err := os.Stat(at("open"))
	if err != nil || fi.Mode() != logFileMode || fi.Size() <= int64(len("before\n")) {
		t.Errorf("an old log: %v %v", fi, err)
	}
}
