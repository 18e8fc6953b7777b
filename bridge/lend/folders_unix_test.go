//go:build unix

package lend

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// TestOnlyWhatIsInTheFoldersIsLent: who speaks to the socket of a workspace does not get at what else is open in that editor, by
// no name of it.
func TestOnlyWhatIsInTheFoldersIsLent(t *testing.T) {
	dir, folder, outside := shortDir(t), t.TempDir(), t.TempDir()
	real, err := filepath.EvalSymlinks(outside)
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(real, "key")
	if err := os.WriteFile(key, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"link": key, "dir": real, "dangling": filepath.Join(real, "none")} {
		if err := os.Symlink(to, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		path string
		lent bool
	}{
		"in the folder":         {filepath.Join(folder, "sub", "new.txt"), true},
		"outside":               {key, false},
		"by a link":             {filepath.Join(folder, "link"), false},
		"below a link":          {filepath.Join(folder, "dir", "key"), false},
		"below a link, not yet": {filepath.Join(folder, "dir", "none"), false},
		"by a link to nothing":  {filepath.Join(folder, "dangling"), false},
		"upwards":               {folder + "/../" + filepath.Base(outside) + "/key", false},
		"relative":              {"key", false},
		"beside the folder":     {folder + "-evil/key", false},
	} {
		h := &host{path: c.path, text: "unsaved\n"}
		l := open(t, dir, folder, h)
		if a := l.answer(context.Background(), &request{Read: c.path}); a.Open != c.lent || (a.Text != "") != c.lent {
			t.Errorf("%s, read: %+v", name, a)
		}
		if a := l.answer(context.Background(), &request{Write: c.path, Base: "unsaved\n", Text: "evil\n"}); a.Open != c.lent || (h.holds() == "evil\n") != c.lent {
			t.Errorf("%s, written: %+v, the buffer has %q", name, a, h.holds())
		}
		if a := l.answer(context.Background(), &request{Read: c.path, Write: c.path}); a.Open {
			t.Errorf("%s, both at once: %+v", name, a)
		}
		l.Close()
	}
}
