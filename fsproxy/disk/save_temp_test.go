//go:build unix

package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// plantingFolder has a link lying in wait under every name that is about to be
// created, until there have been as many as it has plants.
type plantingFolder struct {
	folder
	t      *testing.T
	dir    string
	target string
	plants *int
}

func (f plantingFolder) OpenFolder(name string) (folder, error) {
	g, err := f.folder.OpenFolder(name)
	f.folder, f.dir = g, filepath.Join(f.dir, name)
	return f, err
}

func (f plantingFolder) Open(name string, flag int, perm fs.FileMode) (file, error) {
	if flag&os.O_CREATE != 0 && *f.plants > 0 {
		*f.plants--
		if err := os.Symlink(f.target, filepath.Join(f.dir, name)); err != nil {
			f.t.Error(err)
		}
	}
	return f.folder.Open(name, flag, perm)
}

func TestATemporaryFileIsNeverSomebodyElses(t *testing.T) {
	for plants, works := range map[int]bool{1: true, maxTempNames - 1: true, maxTempNames: false} {
		d, root := diskOn(t)
		path := put(t, root+"/f", "before")
		canary := put(t, filepath.Dir(root)+"/canary", "canary")
		left := plants
		d.testOnlyWrap = func(f folder) folder { return plantingFolder{f, t, root, canary, &left} }
		_, err := d.Save(t.Context(), path, SaveRequest{Text: "after"})
		if (err == nil) != works {
			t.Errorf("%d planted: %v", plants, err)
		}
		wantOnDisk(t, canary, "canary")
		want := "before"
		if works {
			want = "after"
		}
		wantOnDisk(t, path, want)
	}
}

// What is being written is nobody's to read before it has its target's mode.
func TestATemporaryFileIsPrivate(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	d, root := diskOn(t)
	path := put(t, root+"/f", "before")
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	seen := false
	d.testOnlyStep = func(step string) {
		entries, err := os.ReadDir(root)
		if err != nil {
			t.Error(err)
		}
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), tempPrefix) {
				continue
			}
			seen = true
			if info, err := e.Info(); err != nil || info.Mode() != 0o600 {
				t.Errorf("%s: mode %v, %v", step, info.Mode(), err)
			}
		}
	}
	if _, err := d.Save(t.Context(), path, SaveRequest{Text: "after"}); err != nil {
		t.Fatal(err)
	}
	if !seen {
		t.Error("there was no temporary file to look at")
	}
	wantMode(t, path, 0o600)
}

// closedFolder may be passed but not opened, like the folder of another user's home.
type closedFolder struct{ folder }

func (closedFolder) OpenFolder(name string) (folder, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EACCES}
}

func TestOutsideBehindAFolderThatMayOnlyBePassed(t *testing.T) {
	d, root := diskOn(t)
	path := put(t, filepath.Dir(root)+"/out/f", "text")
	d.testOnlyWrap = func(f folder) folder { return closedFolder{f} }
	view := d.WithOutside(path)
	if s, err := view.Read(t.Context(), path); err != nil || s.Text.String() != "text" {
		t.Error(err)
	}
	if _, err := view.Save(t.Context(), path, SaveRequest{Text: "new"}); err != nil {
		t.Error(err)
	}
	wantOnDisk(t, path, "new")
	// The folder becomes a link just when it is opened by that name.
	if err := os.Rename(filepath.Dir(path), filepath.Dir(path)+".away"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("out.away", filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	if _, err := view.Read(t.Context(), path); err == nil {
		t.Error("a link was followed to what nobody was asked about")
	}
	if _, err := d.Read(t.Context(), put(t, root+"/sub/f", "x")); err == nil || !strings.Contains(err.Error(), "open folder: permission denied") {
		t.Error(err)
	}
}
