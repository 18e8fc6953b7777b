//go:build unix

package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestAPipeHoldsNobodyUp(t *testing.T) {
	x, dir := indexed(t, "-- a --\none\n")
	x.lookBefore(t, Hints{})
	check(t, os.Remove(filepath.Join(dir, "a")))
	check(t, unix.Mkfifo(filepath.Join(dir, "a"), 0o600))
	check(t, unix.Mkfifo(filepath.Join(dir, "p"), 0o600))
	changes(t, x)
	if _, _, err := readFile(filepath.Join(dir, "p")); err == nil {
		t.Error("a pipe was read")
	}
}
