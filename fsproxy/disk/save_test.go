//go:build unix

package disk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

func TestSave(t *testing.T) {
	d, root := diskOn(t)
	path := put(t, root+"/f", BOM+"one\r\n")
	if err := os.Chmod(path, 0o751); err != nil {
		t.Fatal(err)
	}
	s, err := d.Read(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	hash := s.Hash()
	saved, err := d.Save(t.Context(), path, SaveRequest{Text: "two\n", Expect: &hash})
	if err != nil {
		t.Fatal(err)
	}
	wantOnDisk(t, path, BOM+"two\n")
	if saved.Mode != 0o751 || !saved.BOM || !saved.Exists || saved.Version != VersionDisk {
		t.Errorf("%+v", saved)
	}
	again, err := d.Read(t.Context(), path)
	if err != nil || again.Hash() != saved.Hash() || again.Mode != saved.Mode || again.BOM != saved.BOM {
		t.Error(again, err)
	}
	// Like decides about the mark, not about the mode of what exists.
	if _, err := d.Save(t.Context(), path, SaveRequest{Text: "three", Like: &Snapshot{Mode: 0o600}}); err != nil {
		t.Fatal(err)
	}
	wantOnDisk(t, path, "three")
	wantMode(t, path, 0o751)
	wantNoTemp(t, root)
}

func wantMode(t testing.TB, path string, mode fs.FileMode) {
	t.Helper()
	if info, err := os.Stat(path); err != nil || info.Mode() != mode {
		t.Errorf("%s: mode %v, %v; want %v", path, info.Mode(), err, mode)
	}
}

func TestSaveRefusesWhatChangedSinceItWasRead(t *testing.T) {
	d, root := diskOn(t)
	path := put(t, root+"/f", "one")
	hash := text.New("one").Hash()
	put(t, path, "the user's")
	_, err := d.Save(t.Context(), path, SaveRequest{Text: "mine", Expect: &hash})
	if !errors.Is(err, ErrChanged) || !strings.HasSuffix(err.Error(), "changed since you read it; read it again") {
		t.Error(err)
	}
	wantOnDisk(t, path, "the user's")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err = d.Save(t.Context(), path, SaveRequest{Text: "mine", Expect: &hash}); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the file came back")
	}
	wantNoTemp(t, root)
}

// Somebody else changes the file at any moment before the rename: their text stays.
func TestSaveNeverOverwritesWhatAppearsMeanwhile(t *testing.T) {
	for _, step := range []string{"resolved", "entered", "looked", "written"} {
		for what, meanwhile := range map[string]func(path string) error{
			"written in place": func(path string) error { return os.WriteFile(path, []byte("the user's"), 0o644) },
			"replaced": func(path string) error {
				return errors.Join(os.WriteFile(path+"~", []byte("the user's"), 0o644), os.Rename(path+"~", path))
			},
		} {
			for _, exists := range []bool{true, false} {
				d, root := diskOn(t)
				path := filepath.Join(root, "f")
				req := SaveRequest{Text: "mine", New: !exists}
				if exists {
					put(t, path, "one")
					hash := text.New("one").Hash()
					req.Expect = &hash
				} else if step == "looked" {
					continue // there is nothing to look at
				}
				done := false
				d.testOnlyStep = func(now string) {
					if now == step && !done {
						done = true
						if err := meanwhile(path); err != nil {
							t.Error(err)
						}
					}
				}
				_, err := d.Save(t.Context(), path, req)
				want := ErrChanged
				if !exists {
					want = ErrExist
				}
				if !errors.Is(err, want) {
					t.Errorf("%s after %s (existed: %v): %v", what, step, exists, err)
				}
				wantOnDisk(t, path, "the user's")
				wantNoTemp(t, root)
			}
		}
	}
}

func TestSaveCreates(t *testing.T) {
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	d, root := diskOn(t)
	var report SaveReport
	s, err := d.Save(t.Context(), root+"/a/b/new", SaveRequest{Text: "x", New: true, Report: &report})
	if err != nil {
		t.Fatal(err)
	}
	wantMode(t, root+"/a/b/new", 0o640)
	wantMode(t, root+"/a", 0o750|fs.ModeDir)
	if !slices.Equal(report.Folders, []string{root + "/a", root + "/a/b"}) || s.Mode != 0o640 || s.BOM {
		t.Errorf("%+v, %+v", report, s)
	}
	// A file brought back is as it was, whatever the umask says.
	if _, err := d.Save(t.Context(), root+"/script", SaveRequest{Text: "x", Like: &Snapshot{BOM: true, Mode: 0o777}}); err != nil {
		t.Fatal(err)
	}
	wantMode(t, root+"/script", 0o777)
	wantOnDisk(t, root+"/script", BOM+"x")
	if _, err := d.Save(t.Context(), root+"/script", SaveRequest{Text: "x", New: true}); !errors.Is(err, ErrExist) || !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
}

func TestSaveKeepsALinkAndBreaksAHardLink(t *testing.T) {
	d, root := diskOn(t)
	canary := put(t, filepath.Dir(root)+"/out/canary", "canary")
	tree(t, root, "sub/f", "link -> sub/f", "link-abs -> ROOT/sub/f")
	for i, name := range []string{"link", "link-abs"} {
		text := string(rune('a' + i))
		s, err := d.Save(t.Context(), root+"/"+name, SaveRequest{Text: text})
		if err != nil || s.Path != root+"/sub/f" {
			t.Fatal(s, err)
		}
		wantOnDisk(t, root+"/sub/f", text)
		if info, err := os.Lstat(root + "/" + name); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no longer a link", name)
		}
	}
	if err := os.Link(canary, root+"/hard"); err != nil {
		t.Fatal(err)
	}
	if r, err := d.Resolve(root + "/hard"); err != nil || r.Links != 2 {
		t.Error("the question cannot tell of the other name:", r.Links, err)
	}
	var report SaveReport
	if _, err := d.Save(t.Context(), root+"/hard", SaveRequest{Text: "mine", Report: &report}); err != nil {
		t.Error(report, err)
	}
	wantOnDisk(t, canary, "canary")
	wantOnDisk(t, root+"/hard", "mine")
}

func TestSaveNeverCreatesThroughADanglingLink(t *testing.T) {
	d, root := diskOn(t)
	out := filepath.Dir(root) + "/out"
	tree(t, root, "in -> nothing", "deep -> no/thing", "out -> ROOT/../out", "way -> nowhere")
	for _, name := range []string{"in", "deep", "out", "way/f"} {
		for _, view := range []*Disk{d, d.WithOutside(out)} {
			_, err := view.Save(t.Context(), root+"/"+name, SaveRequest{Text: "x"})
			if !errors.Is(err, ErrNotExist) && !errors.As(err, new(*OutsideError)) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for _, path := range []string{root + "/nothing", root + "/no", out, root + "/nowhere"} {
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("%s was created", path)
		}
	}
}

func TestReadOnlyStaysAsItIs(t *testing.T) {
	d, root := diskOn(t)
	path := put(t, root+"/f", "one")
	locked := put(t, root+"/folder/f", "one")
	for _, c := range []struct {
		lock string
		mode fs.FileMode
	}{{path, 0o444}, {root + "/folder", 0o555}} {
		info, err := os.Stat(c.lock)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(c.lock, c.mode); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(c.lock, info.Mode())
	}
	for _, victim := range []string{path, locked} {
		_, saveErr := d.Save(t.Context(), victim, SaveRequest{Text: "mine"})
		for _, err := range []error{saveErr, d.Remove(t.Context(), victim, nil), d.Rename(t.Context(), victim, root+"/to", nil)} {
			if !errors.Is(err, ErrReadOnly) {
				t.Errorf("%s: %v", victim, err)
			}
		}
		wantOnDisk(t, victim, "one")
	}
	if _, err := d.Save(t.Context(), root+"/folder/new", SaveRequest{Text: "x"}); !errors.Is(err, ErrReadOnly) {
		t.Error(err)
	}
	if _, err := d.Save(t.Context(), root+"/folder/a/b", SaveRequest{Text: "x"}); !errors.Is(err, ErrReadOnly) {
		t.Error(err)
	}
	if err := d.Rename(t.Context(), put(t, root+"/g", "g"), root+"/folder/g", nil); !errors.Is(err, ErrReadOnly) {
		t.Error(err)
	}
}

func TestSaveRefusesWhatCouldNotBeReadBack(t *testing.T) {
	d, root := diskOn(t)
	d.limit = 100
	path := put(t, root+"/f", "one")
	if _, err := d.Save(t.Context(), path, SaveRequest{Text: "a\xff"}); !errors.As(err, new(*NotTextError)) {
		t.Error(err)
	}
	if _, err := d.Save(t.Context(), path, SaveRequest{Text: strings.Repeat("x", 101)}); !errors.As(err, new(*TooLargeError)) {
		t.Error(err)
	}
	wantOnDisk(t, path, "one")
}

func TestSaveOverWhatIsNoText(t *testing.T) {
	d, root := diskOn(t)
	path := put(t, root+"/f", "\xff\xfe")
	hash := text.New("").Hash()
	if _, err := d.Save(t.Context(), path, SaveRequest{Text: "x", Expect: &hash}); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
	wantOnDisk(t, path, "\xff\xfe")
}

func TestSaveEndsWithItsContext(t *testing.T) {
	d, root := diskOn(t)
	path := put(t, root+"/f", "one")
	for _, step := range []string{"resolved", "entered", "looked", "written"} {
		ctx, cancel := context.WithCancel(t.Context())
		d.testOnlyStep = func(now string) {
			if now == step {
				cancel()
			}
		}
		hash := text.New("one").Hash()
		if _, err := d.Save(ctx, path, SaveRequest{Text: "two", Expect: &hash}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", step, err)
		}
		if _, err := d.Save(ctx, root+"/new/f", SaveRequest{Text: "two"}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", step, err)
		}
		cancel()
	}
	wantOnDisk(t, path, "one")
	if _, err := os.Lstat(root + "/new"); err == nil {
		t.Error("a folder is left of a save that did not happen")
	}
	wantNoTemp(t, root)
}

func TestRemove(t *testing.T) {
	d, root := diskOn(t)
	tree(t, root, "f", "link -> f", "folder/x")
	hash := text.New("f").Hash()
	other := text.New("other").Hash()
	if err := d.Remove(t.Context(), root+"/f", &other); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
	if err := d.Remove(t.Context(), root+"/link", nil); !errors.Is(err, ErrLink) {
		t.Error(err)
	}
	if err := d.Remove(t.Context(), root+"/folder", nil); !errors.Is(err, ErrNotRegular) {
		t.Error(err)
	}
	if err := d.Remove(t.Context(), root+"/nothing", nil); !errors.Is(err, ErrNotExist) {
		t.Error(err)
	}
	d.testOnlyStep = func(step string) {
		if step == "checked" {
			put(t, root+"/f", "the user's")
		}
	}
	if err := d.Remove(t.Context(), root+"/f", &hash); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
	wantOnDisk(t, root+"/f", "the user's")
	d.testOnlyStep = nil
	if err := d.Remove(t.Context(), root+"/f", nil); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(root + "/f"); err == nil {
		t.Error("it is still there")
	}
}

func TestRename(t *testing.T) {
	d, root := diskOn(t)
	tree(t, root, "f", "taken", "link -> f", "folder/", "dangling -> nothing")
	hash := text.New("other").Hash()
	for _, c := range []struct {
		from, to string
		expect   *text.Hash
		want     error
	}{
		{"f", "g", &hash, ErrChanged},
		{"f", "taken", nil, ErrExist},
		{"f", "link", nil, ErrExist},
		{"f", "folder", nil, ErrExist},
		{"f", "f", nil, ErrExist},
		{"f", "taken/g", nil, ErrNotExist},
		{"f", "dangling", nil, ErrNotExist},
		{"f", "new/f/", nil, ErrNotRegular},
		{"f", "../g", nil, ErrOutside},
		{"link", "g", nil, ErrLink},
		{"folder", "g", nil, ErrNotRegular},
		{"nothing", "new/g", nil, ErrNotExist},
	} {
		if err := d.Rename(t.Context(), root+"/"+c.from, root+"/"+c.to, c.expect); !errors.Is(err, c.want) {
			t.Errorf("%s to %s: %v", c.from, c.to, err)
		}
	}
	wantOnDisk(t, root+"/f", "f")
	wantOnDisk(t, root+"/taken", "taken")
	if _, err := os.Lstat(root + "/new"); err == nil {
		t.Error("a folder is left of a rename that did not happen")
	}
	hash = text.New("f").Hash()
	if err := d.Rename(t.Context(), root+"/f", root+"/a/b/g", &hash); err != nil {
		t.Fatal(err)
	}
	wantOnDisk(t, root+"/a/b/g", "f")
	d.testOnlyStep = func(step string) {
		if step == "checked" {
			put(t, root+"/a/late", "the user's")
		}
	}
	if err := d.Rename(t.Context(), root+"/a/b/g", root+"/a/late", nil); !errors.Is(err, ErrExist) {
		t.Error(err)
	}
	wantOnDisk(t, root+"/a/late", "the user's")
	wantOnDisk(t, root+"/a/b/g", "f")
}
