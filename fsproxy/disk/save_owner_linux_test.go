package disk

import (
	"errors"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// An extended attribute of the user's goes with the file. Where the file system of
// the test folder has none, there is nothing to keep, and that is no error.
func TestSaveKeepsAttributes(t *testing.T) {
	d, root := diskOn(t)
	path := put(t, root+"/f", "one")
	set := unix.Setxattr(path, "user.note", []byte("kept"), 0)
	var report SaveReport
	if _, err := d.Save(t.Context(), path, SaveRequest{Text: "two", Report: &report}); err != nil {
		t.Fatal(err)
	}
	value := make([]byte, 10)
	n, err := unix.Getxattr(path, "user.note", value)
	if set == nil && (err != nil || string(value[:n]) != "kept") {
		t.Errorf("the attribute is %q, %v", value[:max(n, 0)], err)
	}
	if len(report.Notes) != 0 {
		t.Errorf("notes %v", report.Notes)
	}
}

// What cannot be kept is said, and gives nobody more rights than they had.
func TestSaveSaysWhatItCouldNotKeep(t *testing.T) {
	d, root := diskOn(t)
	path := put(t, root+"/f", "one")
	if err := os.Chmod(path, os.ModeSetuid|0o764); err != nil {
		t.Fatal(err)
	}
	d.testOnlyWrap = func(f folder) folder { return ownerlessFolder{f} }
	var report SaveReport
	if _, err := d.Save(t.Context(), path, SaveRequest{Text: "two", Report: &report}); err != nil {
		t.Fatal(err)
	}
	wantMode(t, path, 0o744)
	if !slices.Contains(report.Notes, "its group is lost") || !slices.ContainsFunc(report.Notes, func(s string) bool { return strings.Contains(s, "set-user-ID") }) {
		t.Errorf("notes %q", report.Notes)
	}
}

// ownerlessFolder has files that cannot be given to another group.
type ownerlessFolder struct{ folder }

func (f ownerlessFolder) OpenFolder(name string) (folder, error) {
	g, err := f.folder.OpenFolder(name)
	return ownerlessFolder{g}, err
}

func (f ownerlessFolder) Open(name string, flag int, perm os.FileMode) (file, error) {
	g, err := f.folder.Open(name, flag, perm)
	return ownerlessFile{g}, err
}

type ownerlessFile struct{ file }

func (ownerlessFile) KeepOwner(file) (bool, []string) { return false, []string{"its group is lost"} }

// otherUser is an owner to give a file to where the test may do that, which is as
// root; anybody else stays the owner, and the test says the same.
func otherUser() (uid, gid int) {
	if os.Geteuid() == 0 {
		return 12345, 23456
	}
	return os.Geteuid(), os.Getegid()
}

func TestSaveKeepsTheOwner(t *testing.T) {
	d, root := diskOn(t)
	path := put(t, root+"/f", "one")
	uid, gid := otherUser()
	if err := os.Chown(path, uid, gid); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Save(t.Context(), path, SaveRequest{Text: "two"}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if st := info.Sys().(*syscall.Stat_t); int(st.Uid) != uid || int(st.Gid) != gid || info.Mode() != 0o644 {
		t.Errorf("owner %d:%d, mode %v", st.Uid, st.Gid, info.Mode())
	}
}

// On a file system that cannot rename without replacing, a hard link does it.
func TestMoveByLink(t *testing.T) {
	_, root := diskOn(t)
	tree(t, root, "f", "taken", "sub/")
	a, err := os.OpenRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b, err := os.OpenRoot(root + "/sub")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := withFDs(a, a, func(x, y int) error { return linkThenUnlink(x, "f", y, "taken") }); !errors.Is(err, os.ErrExist) {
		t.Error(err)
	}
	if err := withFDs(a, b, func(x, y int) error { return linkThenUnlink(x, "f", y, "g") }); err != nil {
		t.Error(err)
	}
	wantOnDisk(t, root+"/sub/g", "f")
	wantOnDisk(t, root+"/taken", "taken")
	if _, err := os.Lstat(root + "/f"); err == nil {
		t.Error("the old name is still there")
	}
}
