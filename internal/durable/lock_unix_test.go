//go:build unix

package durable

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A child process has a copy of every file from its fork to its exec.
func TestALockThatAChildHasACopyOfIsGivenUp(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	l, err := Lock(name)
	if err != nil {
		t.Fatal(err)
	}
	fd, err := syscall.Dup(int(l.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	theirs := os.NewFile(uintptr(fd), name)
	defer theirs.Close()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Lock(name)
	if err != nil {
		t.Fatalf("it is still held: %v", err)
	}
	again.Close()
}
