package durable

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A crash before the log was repaired does not make a second copy of its damage; other damage gets a file of its own.
func TestDamageIsSetAsideOnce(t *testing.T) {
	dir := t.TempDir()
	aside := func(log string, from int64) string {
		t.Helper()
		path, err := SetAside(Disk{}, dir, "log.bad-", strings.NewReader(log), from, int64(len(log)))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != log[from:] {
			t.Errorf("%s holds %q, %v", path, got, err)
		}
		return filepath.Base(path)
	}
	for _, c := range []struct{ log, want string }{
		{"good, torn", "log.bad-1"}, {"good, torn", "log.bad-1"}, {"good, also", "log.bad-2"}, {"good, longer", "log.bad-3"},
	} {
		if got := aside(c.log, 6); got != c.want {
			t.Errorf("%q is set aside in %s, want %s", c.log, got, c.want)
		}
	}
	if names, _ := (Disk{}).List(dir); len(names) != 3 {
		t.Errorf("in the folder: %v", names)
	}
}

// A file is the old one until the new one is whole.
func TestARewriteThatFailsLeavesTheFileAsItIs(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	write := func(text string, after error) error {
		return Rewrite(Disk{}, name, func(w LogWriter) error {
			_, err := w.Write([]byte(text))
			return errors.Join(err, after)
		})
	}
	full := errors.New("no space")
	if err := write("old", nil); err != nil {
		t.Fatal(err)
	}
	if err := write("half a new", full); !errors.Is(err, full) {
		t.Error(err)
	}
	if got, _ := os.ReadFile(name); string(got) != "old" {
		t.Errorf("%q", got)
	}
	if err := write("new", nil); err != nil { // what the failed one has left is not in it
		t.Error(err)
	}
	if got, _ := os.ReadFile(name); string(got) != "new" {
		t.Errorf("%q", got)
	}
}
