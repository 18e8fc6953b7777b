// Package links makes symbolic links for tests, where there are any. It is for tests only.
package links

import (
	"os"
	"runtime"
	"testing"
)

// Make is [os.Symlink]. On Windows it skips a test where the system makes none: Wine's call says that it has made one and has not, and
// Windows' takes a right that few users have.
func Make(t testing.TB, target, name string) error {
	t.Helper()
	err := os.Symlink(target, name)
	if runtime.GOOS != "windows" {
		return err
	}
	if _, lost := os.Lstat(name); err == nil && lost != nil || err != nil && noRight(err) {
		t.Skip("this system makes no symbolic links")
	}
	return err
}
