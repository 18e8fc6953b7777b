package durable

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestAFolderIsMadePrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	for range 2 {
		if err := MakePrivate(dir); err != nil {
			t.Fatal(err)
		}
		if fi, err := os.Stat(dir); err != nil || runtime.GOOS != "windows" && fi.Mode().Perm() != 0o700 {
			t.Fatalf("%v, %v", fi.Mode(), err)
		}
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
}

// what is another user's is not used. Only root can give a folder away; others try the one that root has.
func TestAFolderOfAnotherUserIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "theirs")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	switch {
	case runtime.GOOS == "windows":
		return // whom a folder belongs to says nothing there
	case os.Geteuid() != 0:
		dir = "/"
	default:
		if err := os.Chown(dir, 12345, -1); err != nil {
			t.Fatal(err)
		}
	}
	if err := MakePrivate(dir); err == nil {
		t.Error("a folder of another user's is taken")
	}
}

func TestALockIsHeldOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	first, err := Lock(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(name); !errors.Is(err, ErrHeld) {
		t.Errorf("the second one: %v", err)
	}
	first.Close()
	again, err := Lock(name)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

func TestAFileThatGrowsCanBeCut(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	f, err := Append(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, text := range []string{"abc", "def"} {
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Truncate(3); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != "abcx" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAFileIsReplacedWhole(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	for _, text := range []string{"one", "two"} {
		if err := Save(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	if err := SyncDir(filepath.Dir(name)); err != nil {
		t.Error(err)
	}
}
