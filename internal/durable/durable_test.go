package durable

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
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

// A lock that is waited for is had once its holder has let go of it, and not before.
func TestALockIsWaitedFor(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	holders, most := atomic.Int32{}, atomic.Int32{}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				held, err := LockWait(name)
				if err != nil {
					t.Error(err)
					return
				}
				most.Store(max(most.Load(), holders.Add(1)))
				holders.Add(-1)
				held.Close()
			}
		})
	}
	all.Wait()
	if most.Load() != 1 {
		t.Errorf("%d held it at once", most.Load())
	}
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
	for text, put := range map[string]func(string, []byte) error{"one": Save, "two": Replace} {
		if err := put(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(name)
		if info, e := os.Stat(name); err != nil || e != nil || string(got) != text || runtime.GOOS != "windows" && info.Mode() != 0o600 {
			t.Errorf("%q, %v, %v", got, err, e)
		}
		if err := put(filepath.Join(name, "below a file"), nil); err == nil {
			t.Error("a file is put below a file")
		}
	}
	if err := os.Mkdir(name+".d", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Replace(name+".d", []byte("x")); err == nil {
		t.Error("a folder was replaced")
	}
	if left, err := os.ReadDir(filepath.Dir(name)); err != nil || len(left) != 2 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := SyncDir(filepath.Dir(name)); err != nil {
		t.Error(err)
	}
}
