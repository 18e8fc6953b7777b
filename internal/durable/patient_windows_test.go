package durable

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestAFileThatIsReadIsReplacedWhenItIsFree: another program that looks at a file for a moment does not make a save fail, and
// one that keeps it open does not hold us up for ever.
func TestAFileThatIsReadIsReplacedWhenItIsFree(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	if err := Save(name, []byte("old")); err != nil {
		t.Fatal(err)
	}
	held, err := os.Open(name) // without FILE_SHARE_DELETE, as most programs open files
	if err != nil {
		t.Fatal(err)
	}
	fresh := name + ".new"
	if err := Save(fresh, []byte("new")); err != nil {
		t.Fatal(err)
	}
	tries := 0
	err = Patiently(func() error {
		if tries++; tries == 3 {
			held.Close()
		}
		return os.Rename(fresh, name)
	})
	if got, e := os.ReadFile(name); err != nil || e != nil || string(got) != "new" {
		t.Errorf("%q, %v, %v after %d tries", got, err, e, tries)
	}
	held, err = os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	began := time.Now()
	if err := os.Remove(name); err == nil {
		t.Skip("this system removes files that are open")
	}
	if err := Patiently(func() error { return os.Remove(name) }); err == nil || time.Since(began) > 10*patience {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}
