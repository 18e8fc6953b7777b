package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// unwritable is a disk on which nothing, or some things, can be written.
type unwritable struct {
	disk
	fails func(op string) error
}

func (d unwritable) MakeDir(dir string) error {
	if err := d.fails("mkdir"); err != nil {
		return err
	}
	return d.disk.MakeDir(dir)
}

func (d unwritable) Append(name string) (durable.LogWriter, error) {
	if err := d.fails("open"); err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	return d.disk.Append(name)
}

func (d unwritable) Lock(name, holder string) (c io.Closer, err error) {
	if err := d.fails("lock"); err != nil {
		return nil, &os.PathError{Op: "lock", Path: name, Err: err}
	}
	return d.disk.Lock(name, holder)
}

// a store on a disk without locks (some network disks), one that can only be read, or one of another user's: what
// is in it can be read, a session goes on without being saved, and the user is told why, once.
func TestAStoreThatCannotBeWrittenIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		op  string
		err error
	}{
		"no locks (NFS)":      {"lock", syscall.ENOLCK},
		"locks not supported": {"lock", syscall.EOPNOTSUPP},
		"read-only disk":      {"mkdir", syscall.EROFS},
		"read-only files":     {"open", syscall.EROFS},
		"another user's":      {"mkdir", errors.New("belongs to another user")},
		"no permission":       {"lock", syscall.EACCES},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			filled(t, root, "s", 3)
			st, told := openAt(root, unwritable{fails: func(op string) error {
				if op == c.op {
					return c.err
				}
				return nil
			}})
			if _, err := st.Create(Meta{ID: "new", Cwd: "/w"}); err == nil || !strings.Contains(err.Error(), c.err.Error()) {
				t.Errorf("create: %v", err)
			}
			ses, err := st.Load("s")
			if err != nil {
				t.Fatal(err)
			}
			if !errors.Is(ses.ReadOnly(), ErrUnsaved) {
				t.Errorf("read-only: %v", ses.ReadOnly())
			}
			n := 0
			if _, err := ses.Entries(func(Entry) { n++ }); err != nil || n != 3 {
				t.Errorf("%d entries, %v", n, err)
			}
			for range 3 {
				ses.Append(note(9))
				if err := ses.Sync(); !errors.Is(err, ErrUnsaved) {
					t.Errorf("sync: %v", err)
				}
			}
			if err := ses.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
			if list := told.list(); len(list) != 1 || !strings.HasPrefix(list[0], "not saved: ") || !strings.Contains(list[0], c.err.Error()) {
				t.Errorf("told %q", list)
			}
			bodies, _ := peek(t, root)
			wantNotes(t, bodies, 0, 1, 2)
		})
	}
}

// folders that others could write to are made private before anything is put into them.
func TestAStoreThatIsOpenToAllIsMadePrivate(t *testing.T) {
	root := filepath.Join(t.TempDir(), "sessions")
	filled(t, root, "s", 1)
	for _, dir := range []string{root, filepath.Join(root, "s")} {
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	st, _ := openAt(root, nil)
	ses, err := st.Load("s")
	if err != nil {
		t.Fatal(err)
	}
	defer ses.Close()
	for _, dir := range []string{root, filepath.Join(root, "s")} {
		if fi, err := os.Stat(dir); err != nil || fi.Mode().Perm() != 0o700 && os.PathSeparator == '/' {
			t.Errorf("%s has mode %v, %v", dir, fi.Mode(), err)
		}
	}
}

// what is not a session is left alone and not listed.
func TestForeignFilesAreLeftAlone(t *testing.T) {
	root := t.TempDir()
	filled(t, root, "s", 1)
	for name, text := range map[string]string{"notes.txt": "mine", "folder/session.json": "not json", "x/session.json": `{"format":1,"id":"other"}`, ".DS_Store": "\x00"} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if got, err := os.ReadFile(path); err != nil || string(got) != text {
				t.Errorf("%s is %q, %v", name, got, err)
			}
		}()
	}
	st, _ := openAt(root, nil)
	list, err := st.List()
	if err != nil || len(list) != 1 || list[0].ID != "s" {
		t.Fatalf("listed %+v, %v", list, err)
	}
	for _, id := range []string{"notes.txt", "folder", "x"} {
		if _, err := st.Load(id); !errors.Is(err, ErrNotFound) {
			t.Errorf("load %s: %v", id, err)
		}
		if err := st.Delete(id); !errors.Is(err, ErrNotFound) {
			t.Errorf("delete %s: %v", id, err)
		}
	}
	if err := st.Delete("s"); err != nil {
		t.Error(fmt.Errorf("delete: %w", err))
	}
}
