package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// every call fails once or for ever, writes are cut short: the session goes on, the user is told once,
// and when the disk is well again everything is saved.
func TestEveryFailureIsToldOnceAndMadeGood(t *testing.T) {
	for _, kind := range []fault{refuse, half} {
		for n := 1; ; n++ {
			root := t.TempDir()
			f := &faults{}
			st, told := openAt(root, f)
			ses, err := st.Create(Meta{ID: "s", Cwd: "/w"})
			if err != nil {
				t.Fatal(err)
			}
			start := f.n
			broken := false
			f.hit = func(i int, _ string) fault {
				if i >= start+n && i < start+n+3 {
					broken = true
					return kind
				}
				return fine
			}
			for i := range 6 {
				ses.Append(note(i))
				err := ses.Sync()
				if err == nil {
					got, gaps := peek(t, root)
					wantNotes(t, got, upTo(i+1)...)
					if gaps > 0 {
						// Half a write that could not be taken back: the next opening repairs it.
						continue
					}
				}
			}
			f.hit = nil
			if err := ses.Close(); err != nil {
				t.Fatal(err)
			}
			got, _ := load(t, st, "s")
			wantNotes(t, got, upTo(6)...)
			if !broken {
				t.Logf("fault %d: %d places", kind, n-1)
				break
			}
			list := told.list()
			if len(list) == 0 || !strings.HasPrefix(list[0], "not saved: ") {
				t.Fatalf("%d at %d: told %q", kind, n, list)
			}
		}
	}
}

// a disk that stays full costs the oldest entries once too many wait, and says so where they are missing.
func TestFullDiskIsBoundedAndMarked(t *testing.T) {
	root := t.TempDir()
	f := &faults{}
	st, told := openAt(root, f)
	ses, err := st.Create(Meta{ID: "s", Cwd: "/w"})
	if err != nil {
		t.Fatal(err)
	}
	if err := ses.Sync(); err != nil {
		t.Fatal(err)
	}
	f.hit = func(int, string) fault { return refuse }
	big := []byte(`"` + strings.Repeat("x", 1<<20) + `"`)
	for i := range 3 * maxPending >> 20 {
		ses.Append(Entry{Kind: KindNote, Body: big})
		if i%4 == 0 && ses.Sync() == nil {
			t.Fatal("a full disk took it")
		}
	}
	if ses.bytes > maxPending+4<<20 {
		t.Fatalf("%d bytes wait", ses.bytes)
	}
	if n := len(told.list()); n != 1 {
		t.Fatalf("told %d times", n)
	}
	f.mu.Lock() // the session tries again by itself meanwhile
	f.hit = nil
	f.mu.Unlock()
	if err := ses.Close(); err != nil {
		t.Fatal(err)
	}
	if _, gaps := peek(t, root); gaps != 1 {
		t.Fatalf("%d gaps are marked, want 1", gaps)
	}
}

// the folder is removed while the session is open.
func TestRemovedFolderIsTold(t *testing.T) {
	root := t.TempDir()
	st, told := openAt(root, nil)
	ses, err := st.Create(Meta{ID: "s", Cwd: "/w"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(root, "s")); err != nil { // Windows removes nothing that is open
		ses.Close()
		return
	}
	ses.Append(note(1))
	ses.SetMeta(func(m *Meta) { m.Turns++ })
	if ses.Sync() == nil || len(told.list()) != 1 {
		t.Fatalf("told %q", told.list())
	}
	ses.Close()
}

// A session that was not announced is not listed and its place can be taken.
func TestUnannouncedSessionIsNone(t *testing.T) {
	root := t.TempDir()
	st, _ := openAt(root, nil)
	if err := os.MkdirAll(filepath.Join(root, "s"), 0o700); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(root, "s", logName), []byte("half a rec"), 0o600)
	if list, err := st.List(); err != nil || len(list) != 0 {
		t.Fatalf("%v, %v", list, err)
	}
	ses, err := st.Create(Meta{ID: "s", Cwd: "/w"})
	if err != nil {
		t.Fatal(err)
	}
	ses.Append(note(0))
	ses.Close()
	got, _ := load(t, st, "s")
	wantNotes(t, got, 0)
	if _, err := st.Create(Meta{ID: "s"}); err == nil {
		t.Fatal("a session was made over another one")
	}
	for _, id := range []string{"", "..", "a/b", ".x", "hidden", strings.Repeat("x", 200)} {
		if _, err := st.Create(Meta{ID: id}); err == nil {
			t.Fatalf("%q was taken as an id", id)
		}
	}
}

// TestALevelIsOnDiskForCertain: Sync of another level says nothing before the small file, and its name, are on disk; what else changes in
// it may wait.
func TestALevelIsOnDiskForCertain(t *testing.T) {
	f := &faults{}
	st, _ := openAt(t.TempDir(), f)
	ses, err := st.Create(Meta{ID: "s", Cwd: "/w", Turns: 1, Level: "all"})
	if err != nil {
		t.Fatal(err)
	}
	defer ses.Close()
	if err := ses.Sync(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change func(*Meta)
		synced bool
	}{
		{func(m *Meta) { m.Level = "read-only" }, true},
		{func(m *Meta) { m.Title = "x" }, false},
		{func(m *Meta) { m.Level = "ask" }, true},
	} {
		synced := false
		f.hit = func(_ int, op string) fault {
			synced = synced || op == "syncdir"
			return fine
		}
		ses.SetMeta(c.change)
		if err := ses.Sync(); err != nil || synced != c.synced {
			t.Errorf("the folder was synced: %v, %v", synced, err)
		}
		if !c.synced {
			continue
		}
		failed := false
		f.hit = func(_ int, op string) fault {
			if op == "syncdir" && !failed {
				failed = true
				return refuse
			}
			return fine
		}
		ses.SetMeta(func(m *Meta) { m.Level += "!" })
		if ses.Sync() == nil {
			t.Error("a level that is not on disk for certain is said to be")
		}
		if err := ses.Sync(); err != nil || !failed {
			t.Error(err)
		}
	}
}
