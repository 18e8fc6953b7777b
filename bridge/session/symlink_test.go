package session_test

import (
	"os"
	"testing"
)

// symlink makes name a symbolic link to target, whatever it was.
func symlink(t *testing.T, target, name string) {
	t.Helper()
	_ = os.Remove(name)
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}
