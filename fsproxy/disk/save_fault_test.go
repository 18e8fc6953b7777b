//go:build unix

package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// faults decides which calls fail. The n-th call does, and then, as the mode has it,
// no other, all of that kind, or all.
type faults struct {
	n     int
	mode  string // "once", "kind" or "all"
	errno syscall.Errno
	calls int
	kind  string // of the call that failed first
	open  int    // handles not closed yet
}

func (f *faults) call(kind string) error {
	f.calls++
	fail := f.calls == f.n
	if fail {
		f.kind = kind
	} else if f.kind != "" {
		fail = f.mode == "all" || f.mode == "kind" && kind == f.kind
	}
	if fail {
		return &fs.PathError{Op: kind, Path: "secret-name", Err: f.errno}
	}
	return nil
}

type faultyFolder struct {
	folder
	faults *faults
}

func (f *faults) folder(g folder) folder {
	f.open++
	return faultyFolder{g, f}
}

func (f faultyFolder) Self() (fs.FileInfo, error) {
	if err := f.faults.call("fstat folder"); err != nil {
		return nil, err
	}
	return f.folder.Self()
}

func (f faultyFolder) Lstat(name string) (fs.FileInfo, error) {
	if err := f.faults.call("lstat"); err != nil {
		return nil, err
	}
	return f.folder.Lstat(name)
}

func (f faultyFolder) Open(name string, flag int, perm fs.FileMode) (file, error) {
	kind := "open"
	if flag&os.O_CREATE != 0 {
		kind = "create"
	}
	if err := f.faults.call(kind); err != nil {
		return nil, err
	}
	g, err := f.folder.Open(name, flag, perm)
	if err != nil {
		return nil, err
	}
	f.faults.open++
	return &faultyFile{g, f.faults, false}, nil
}

func (f faultyFolder) OpenFolder(name string) (folder, error) {
	if err := f.faults.call("open folder"); err != nil {
		return nil, err
	}
	g, err := f.folder.OpenFolder(name)
	if err != nil {
		return nil, err
	}
	return f.faults.folder(g), nil
}

func (f faultyFolder) Mkdir(name string, perm fs.FileMode) error {
	return first(f.faults.call("mkdir"), func() error { return f.folder.Mkdir(name, perm) })
}

func (f faultyFolder) Rename(from, to string) error {
	return first(f.faults.call("rename"), func() error { return f.folder.Rename(from, to) })
}

func (f faultyFolder) Move(from string, into folder, to string) error {
	return first(f.faults.call("move"), func() error { return f.folder.Move(from, into.(faultyFolder).folder, to) })
}

func (f faultyFolder) Remove(name string) error {
	return first(f.faults.call("remove"), func() error { return f.folder.Remove(name) })
}

func (f faultyFolder) Sync() error {
	return first(f.faults.call("sync folder"), f.folder.Sync)
}

func (f faultyFolder) Close() error {
	f.faults.open--
	_ = f.folder.Close()
	return f.faults.call("close folder")
}

// first returns err, or what do returns if there is none.
func first(err error, do func() error) error {
	if err != nil {
		return err
	}
	return do()
}

type faultyFile struct {
	file
	faults *faults
	closed bool
}

func (f *faultyFile) Stat() (fs.FileInfo, error) {
	if err := f.faults.call("fstat"); err != nil {
		return nil, err
	}
	return f.file.Stat()
}

func (f *faultyFile) Read(p []byte) (int, error) {
	if err := f.faults.call("read"); err != nil {
		return 0, err
	}
	return f.file.Read(p)
}

// Write writes half of it before it fails, or, for want of an errno, says so by the
// count alone.
func (f *faultyFile) Write(p []byte) (int, error) {
	err := f.faults.call("write")
	if err == nil {
		return f.file.Write(p)
	}
	n, _ := f.file.Write(p[:len(p)/2])
	if f.faults.errno == 0 {
		err = nil
	}
	return n, err
}

func (f *faultyFile) Chmod(mode fs.FileMode) error {
	return first(f.faults.call("chmod"), func() error { return f.file.Chmod(mode) })
}

func (f *faultyFile) Sync() error { return first(f.faults.call("sync"), f.file.Sync) }

func (f *faultyFile) Close() error {
	if !f.closed {
		f.closed = true
		f.faults.open--
	}
	_ = f.file.Close()
	return f.faults.call("close")
}

func (f *faultyFile) KeepOwner(old file) (bool, []string) {
	return f.file.KeepOwner(old.(*faultyFile).file)
}

// listing is all there is below dir: of each name its mode and content.
func listing(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		content := ""
		if info.Mode().IsRegular() {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			content = string(b)
		}
		all[path] = info.Mode().String() + " " + content
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Whatever call fails, once or for ever, the disk is as it was or as it was to be,
// the error says which, and nothing is left lying about.
func TestEveryCallFails(t *testing.T) {
	hash := text.New("before\n").Hash()
	for name, change := range map[string]func(d *Disk, root string) error{
		"save": func(d *Disk, root string) error {
			_, err := d.Save(t.Context(), root+"/sub/f", SaveRequest{Text: "after\n", Expect: &hash})
			return err
		},
		"create": func(d *Disk, root string) error {
			_, err := d.Save(t.Context(), root+"/sub/new", SaveRequest{Text: "after\n", New: true})
			return err
		},
		"create with folders": func(d *Disk, root string) error {
			_, err := d.Save(t.Context(), root+"/a/b/new", SaveRequest{Text: "after\n", Like: &Snapshot{Mode: 0o700}})
			return err
		},
		"remove": func(d *Disk, root string) error { return d.Remove(t.Context(), root+"/sub/f", &hash) },
		"rename": func(d *Disk, root string) error {
			return d.Rename(t.Context(), root+"/sub/f", root+"/c/d/g", &hash)
		},
	} {
		for _, mode := range []string{"once", "kind", "all"} {
			for _, short := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/short=%v", name, mode, short), func(t *testing.T) {
					for n := 1; ; n++ {
						f := faults{n: n, mode: mode, errno: syscall.EIO}
						if n%2 == 0 {
							f.errno = syscall.ENOSPC
						}
						if short {
							f.errno = 0
						}
						if failAt(t, &f, change); f.kind == "" {
							if n < 10 {
								t.Errorf("only %d calls were made", n)
							}
							return
						}
						if t.Failed() {
							t.Fatalf("call %d, %s", n, f.kind)
						}
					}
				})
			}
		}
	}
}

// failAt makes a change with faults, and looks at what has become of the disk.
func failAt(t *testing.T, f *faults, change func(*Disk, string) error) {
	d, root := diskOn(t)
	put(t, root+"/sub/f", "before\n")
	before := listing(t, root)
	d.testOnlyWrap = f.folder
	err := change(d, root)
	d.testOnlyWrap = nil
	if f.open != 0 {
		t.Errorf("%d handles are still open", f.open)
	}
	after := listing(t, root)
	var failure *SaveError
	if errors.As(err, &failure) {
		for _, left := range failure.Left {
			if _, ok := after[left]; !ok {
				t.Errorf("%s is not there: %v", left, err)
			}
			delete(after, left)
		}
		if len(failure.Left) > 0 && (f.mode == "once" || f.mode == "kind" && f.kind != "remove") {
			t.Errorf("something is left, but there was no reason for that: %v", err)
		}
		wantWords(t, err, failure)
	}
	switch same := maps.Equal(before, after); {
	case err == nil && same:
		t.Error("no error and no change")
	case err == nil || failure != nil && failure.Done:
		wantChange(t, root, before, after)
	case !same:
		t.Errorf("%v, and the disk has changed: %v", err, after)
	}
}

// wantWords fails the test unless the error says all that the user wants to know.
func wantWords(t *testing.T, err error, failure *SaveError) {
	t.Helper()
	text := err.Error()
	fate := "the file is unchanged"
	if failure.Done {
		fate = "the change is made"
	}
	if !strings.Contains(text, failure.Path) || failure.Step == "" || !strings.Contains(text, failure.Step) ||
		!strings.Contains(text, fate) || strings.Contains(text, "secret-name") {
		t.Errorf("the error is %q", text)
	}
}

// wantChange fails the test unless there is the new text, whole, and no old one
// where it should be gone.
func wantChange(t *testing.T, root string, before, after map[string]string) {
	t.Helper()
	changed := slices.DeleteFunc(slices.Sorted(maps.Keys(after)), func(path string) bool {
		return strings.HasPrefix(after[path], "d") || after[path] == before[path]
	})
	_, there := after[root+"/sub/f"]
	switch {
	case len(changed) == 1 && strings.HasSuffix(after[changed[0]], " after\n") && there:
	case len(changed) == 1 && strings.HasSuffix(after[changed[0]], " before\n") && !there:
	case len(changed) == 0 && !there:
	default:
		t.Errorf("the disk is neither old nor new: %v", after)
	}
}

// limitEnv, when set, is the file that the test's child is to save.
const limitEnv = "COPILOT_BRIDGE_TEST_SAVE"

// The same with the real system: a limit on the size of files makes it write a part
// and then refuse. The limit is a process's, so a child sets it for itself.
func TestSaveOverALimitOfTheSystem(t *testing.T) {
	if path := os.Getenv(limitEnv); path != "" {
		saveLimited(t, path)
		return
	}
	_, root := diskOn(t)
	path := put(t, root+"/f", "before\n")
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), limitEnv+"="+path)
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	wantOnDisk(t, path, "before\n")
	wantNoTemp(t, root)
}

func saveLimited(t *testing.T, path string) {
	d, err := Open([]string{filepath.Dir(path)})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 64 << 10, Max: 64 << 10}); err != nil {
		t.Fatal(err)
	}
	_, err = d.Save(t.Context(), path, SaveRequest{Text: strings.Repeat("x", 100<<10)})
	if !errors.Is(err, syscall.EFBIG) || !strings.Contains(err.Error(), "write: file too large; the file is unchanged") {
		t.Error(err)
	}
}
