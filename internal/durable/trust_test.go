//go:build unix

package durable

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const somebodyElse = 12345

// tree is a home with the folders that are usual in it. Only root can give files away; without that the cases of another
// user's are those of the mode.
func tree(t *testing.T) (home, dir string) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(home, ".local/state/copilot-bridge")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return home, dir
}

func TestAStateFolderThatOthersCouldChangeIsNotUsed(t *testing.T) {
	give := func(path string) error { return os.Lchown(path, somebodyElse, somebodyElse) }
	mode := func(m os.FileMode) func(string) error {
		return func(path string) error { return os.Chmod(path, m) }
	}
	linked := func(home, name string, to func(other string) error) error {
		other := filepath.Join(home, "elsewhere")
		if err := os.Rename(filepath.Join(home, name), other); err != nil {
			return err
		}
		if err := os.Symlink(other, filepath.Join(home, name)); err != nil {
			return err
		}
		return to(other)
	}
	nothing := func(string) error { return nil }
	for name, c := range map[string]struct {
		make  func(home, dir string) error
		taken bool
		root  bool // needs to be root
	}{
		"as it should be":         {func(_, dir string) error { return nil }, true, false},
		"not there yet":           {func(home, _ string) error { return os.RemoveAll(filepath.Join(home, ".local")) }, true, false},
		"that others can read":    {func(_, dir string) error { return os.Chmod(dir, 0o755) }, true, false},
		"0777":                    {func(_, dir string) error { return mode(0o777)(dir) }, false, false},
		"0770":                    {func(_, dir string) error { return mode(0o770)(dir) }, false, false},
		"1777":                    {func(_, dir string) error { return mode(0o777 | os.ModeSticky)(dir) }, false, false},
		"in one of mode 0777":     {func(_, dir string) error { return mode(0o777)(filepath.Dir(dir)) }, false, false},
		"in a home of 0777":       {func(home, _ string) error { return mode(0o777)(home) }, false, false},
		"another user's":          {func(_, dir string) error { return give(dir) }, false, true},
		"in one of another's":     {func(_, dir string) error { return give(filepath.Dir(dir)) }, false, true},
		"a link of ours to ours":  {func(home, _ string) error { return linked(home, ".local", nothing) }, true, false},
		"a link to one of 0777":   {func(home, _ string) error { return linked(home, ".local", mode(0o777)) }, false, false},
		"a link to another's":     {func(home, _ string) error { return linked(home, ".local", give) }, false, true},
		"the folder itself, link": {func(home, _ string) error { return linked(home, ".local/state/copilot-bridge", nothing) }, true, false},
		"a link that somebody else made": {func(home, _ string) error {
			return linked(home, ".local", func(string) error { return give(filepath.Join(home, ".local")) })
		}, false, true},
		"a link round and round": {func(home, dir string) error {
			os.RemoveAll(dir)
			return os.Symlink(dir, dir)
		}, false, false},
		"a link to nothing": {func(home, dir string) error {
			os.RemoveAll(dir)
			return os.Symlink(filepath.Join(home, "new"), dir)
		}, true, false},
		"a file": {func(_, dir string) error {
			os.RemoveAll(dir)
			return os.WriteFile(dir, nil, 0o600)
		}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			home, dir := tree(t)
			if c.root && os.Geteuid() != 0 {
				c.make, c.taken = func(_, dir string) error { return mode(0o772)(dir) }, false
			}
			if err := c.make(home, dir); err != nil {
				t.Fatal(err)
			}
			before, _ := os.Stat(dir)
			for _, from := range []string{home, ""} { // without a home all of the way is looked at, which is safe here
				got, err := OpenState(dir, from)
				if (err == nil) != c.taken || (got == dir) != c.taken {
					t.Errorf("home %q: %q, %v", from, got, err)
				}
				if err != nil && !errors.Is(err, ErrNotOurs) && !strings.Contains(name, "round") && name != "a file" {
					t.Errorf("not the error it should be: %v", err)
				}
			}
			after, err := os.Stat(dir)
			if c.taken && (err != nil || after.Mode().Perm() != 0o700) {
				t.Errorf("taken: %v %v", after, err)
			}
			if !c.taken && before != nil && after.Mode() != before.Mode() {
				t.Errorf("it was changed from %v to %v", before.Mode(), after.Mode())
			}
		})
	}
}

func TestARulesFileThatOthersCouldChangeIsNotTrusted(t *testing.T) {
	home, dir := tree(t)
	path := filepath.Join(dir, "rules.json")
	if err := os.WriteFile(path, []byte("[]"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Trusted(path, home); err != nil {
		t.Errorf("one of ours: %v", err)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Trusted(path, home); !errors.Is(err, ErrNotOurs) {
		t.Errorf("0666: %v", err)
	}
	if err := errors.Join(os.Chmod(path, 0o600), os.Chmod(dir, 0o777)); err != nil {
		t.Fatal(err)
	}
	if err := Trusted(path, home); !errors.Is(err, ErrNotOurs) {
		t.Errorf("in a folder of mode 0777: %v", err)
	}
}
