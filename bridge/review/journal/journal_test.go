package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/copilot-bridge/copilot-bridge/internal/await"
	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// Every goroutine has an owner who waits for it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(await.Watch(m)) }

// words is a state to which each record adds a word.
type words struct{ all []string }

type wordRecord struct {
	Word string `json:"word,omitempty"`
}

func (w *words) Apply(body []byte) error {
	var r wordRecord
	if err := json.Unmarshal(body, &r); err != nil {
		return err
	}
	switch r.Word {
	case "":
	case "odd":
		return errors.New("does not fit")
	default:
		w.all = append(w.all, r.Word)
	}
	return nil
}

func (w *words) Salvage(sc *durable.Scanner) (int, error) { return 0, nil }

// flaky is the real disk with a hook before each sync and write of a file.
type flaky struct {
	durable.Disk
	sync, write func() error
}

type flakyLog struct {
	durable.LogWriter
	d *flaky
}

func (d *flaky) Append(name string) (durable.LogWriter, error) {
	w, err := d.Disk.Append(name)
	return flakyLog{w, d}, err
}

func (l flakyLog) Sync() error {
	if err := l.d.sync(); err != nil {
		return err
	}
	return l.LogWriter.Sync()
}

func (l flakyLog) Write(b []byte) (int, error) {
	if err := l.d.write(); err != nil {
		return 0, err
	}
	return l.LogWriter.Write(b)
}

// rig is a state with its journal.
type rig struct {
	t    *testing.T
	mu   sync.Mutex
	disk *flaky
	f    Folder
	st   *words
	j    *Journal
	told []string
}

func newRig(t *testing.T, dir string) *rig {
	fine := func() error { return nil }
	r := &rig{t: t, disk: &flaky{sync: fine, write: fine}}
	r.f = Folder{Disk: r.disk, Path: dir, Workspace: "/w", MaxRecord: 1 << 10, Now: time.Now, Notice: func(format string, args ...any) {
		r.told = append(r.told, fmt.Sprintf(format, args...))
	}}
	return r
}

func (r *rig) open() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	lock, err := r.f.Lock(0)
	if err != nil {
		return err
	}
	st, at, err := Read(&r.f, Name(0), func() *words { return &words{} })
	if err != nil {
		lock.Close()
		return err
	}
	r.st = st
	r.j, err = Open(&r.f, 0, lock, at, Owner{Mu: &r.mu, Deliver: func() {}, Snapshot: func(each func(any) error) error {
		for _, w := range slices.Clone(r.st.all) {
			if err := each(wordRecord{w}); err != nil {
				return err
			}
		}
		return nil
	}})
	return err
}

// add records a word, and returns when it is on disk. The caller holds mu.
func (r *rig) add(word string) error {
	r.st.all = append(r.st.all, word)
	if err := r.j.Write(wordRecord{word}); err != nil {
		r.j.Diverged()
		return err
	}
	return nil
}

func (r *rig) close() {
	r.t.Helper()
	r.j.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.j.Close(); err != nil {
		r.t.Error(err)
	}
}

// holds asserts what a process that comes next finds.
func (r *rig) holds(want ...string) {
	r.t.Helper()
	again := newRig(r.t, r.f.Path)
	if err := again.open(); err != nil {
		r.t.Fatal(err)
	}
	if !slices.Equal(again.st.all, want) {
		r.t.Errorf("it holds %q, want %q", again.st.all, want)
	}
	r.told = append(r.told, again.told...)
	again.close()
}

func TestRecordsLeadToTheState(t *testing.T) {
	r := newRig(t, t.TempDir())
	if err := r.open(); err != nil {
		t.Fatal(err)
	}
	if err := newRig(t, r.f.Path).open(); !errors.Is(err, durable.ErrHeld) {
		t.Errorf("taken twice: %v", err)
	}
	r.mu.Lock()
	for _, w := range []string{"one", "two"} {
		if err := errors.Join(r.add(w), r.j.Sync()); err != nil {
			t.Error(err)
		}
	}
	if err := r.j.Compact(); err != nil {
		t.Error(err)
	}
	if err := errors.Join(r.add("three"), r.add(strings.Repeat("long", 1<<10))); err == nil || !strings.Contains(err.Error(), "limit") {
		t.Error(err)
	}
	r.st.all = r.st.all[:3]
	r.j.SaveNow()
	r.mu.Unlock()
	prefix := r.j.Prefix()
	r.close()
	r.holds("one", "two", "three")
	if err := r.open(); err != nil || r.j.Prefix() != prefix {
		t.Errorf("%v, the prefix %s became %s", err, prefix, r.j.Prefix())
	}
	r.close()
}

// What is damaged, or does not fit, is set aside in a file and said; what comes before it is there.
func TestADamagedEndIsSetAside(t *testing.T) {
	for name, damage := range map[string]func(data []byte) []byte{
		"torn":         func(data []byte) []byte { return data[:len(data)-3] },
		"flipped":      func(data []byte) []byte { data[len(data)-2] ^= 1; return data },
		"does not fit": func(data []byte) []byte { return durable.AppendRecord(data, 4, []byte(`{"word":"odd"}`)) },
		"no JSON":      func(data []byte) []byte { return durable.AppendRecord(data, 4, []byte(`{`)) },
	} {
		r := newRig(t, t.TempDir())
		if err := r.open(); err != nil {
			t.Fatal(err)
		}
		r.mu.Lock()
		if err := errors.Join(r.add("one"), r.add("two")); err != nil {
			t.Error(err)
		}
		r.mu.Unlock()
		r.close()
		path := filepath.Join(r.f.Path, "0.log")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, damage(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(name, "t") || strings.HasPrefix(name, "f") {
			r.holds("one")
		} else {
			r.holds("one", "two")
		}
		if len(r.told) != 1 || !strings.Contains(r.told[0], path+".bad-1") {
			t.Errorf("%s: said %q", name, r.told)
		}
		if bad, err := os.ReadFile(path + ".bad-1"); err != nil || len(bad) == 0 {
			t.Errorf("%s: set aside %q, %v", name, bad, err)
		}
	}
}

func TestANewerJournalIsLeftAlone(t *testing.T) {
	r := newRig(t, t.TempDir())
	path := filepath.Join(r.f.Path, "0.log")
	newer := durable.AppendRecord(nil, 1, []byte(`{"header":{"format":"copilot-bridge review journal","version":2}}`))
	if err := os.WriteFile(path, newer, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.open(); !errors.Is(err, ErrNewer) {
		t.Error(err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != string(newer) {
		t.Errorf("%q, %v", data, err)
	}
}

// What is recorded while a snapshot is on its way to the disk is in the file that comes of it.
func TestTheStateGoesOnWhileTheDiskWorks(t *testing.T) {
	r := newRig(t, t.TempDir())
	if err := r.open(); err != nil {
		t.Fatal(err)
	}
	n := 0
	r.disk.sync = func() error {
		if n++; n <= 3 { // nobody waits for us: the lock is free while the disk works
			r.mu.Lock()
			defer r.mu.Unlock()
			return r.add(fmt.Sprint("meanwhile ", n))
		}
		return nil
	}
	r.mu.Lock()
	if err := errors.Join(r.add("before"), r.j.Compact()); err != nil {
		t.Error(err)
	}
	r.mu.Unlock()
	r.close()
	r.holds("before", "meanwhile 1", "meanwhile 2", "meanwhile 3")
}

// A disk that fails is said once; when it works again that is said too, and nothing is missing.
func TestAFullDiskIsSaidOnceAndMadeGood(t *testing.T) {
	r := newRig(t, t.TempDir())
	if err := r.open(); err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left")
	r.disk.write = func() error { return full }
	r.mu.Lock()
	for _, w := range []string{"one", "two"} {
		if err := r.add(w); err == nil || r.j.Stale() == nil {
			t.Errorf("%s: %v, %v", w, err, r.j.Stale())
		}
	}
	if err := r.j.Current(); !errors.Is(err, full) {
		t.Error(err)
	}
	r.disk.write = func() error { return nil }
	if err := errors.Join(r.j.Current(), r.j.Stale(), r.add("three")); err != nil {
		t.Error(err)
	}
	r.mu.Unlock()
	r.close()
	r.holds("one", "two", "three")
	if len(r.told) != 2 || !strings.Contains(r.told[0], "not saved") || !strings.Contains(r.told[1], "again") {
		t.Errorf("said %q", r.told)
	}
}

func TestWithoutAJournalAllIsWell(t *testing.T) {
	var j *Journal
	j.Ready()
	j.Diverged()
	j.SaveNow()
	j.Wait()
	if err := errors.Join(j.Write(1), j.Sync(), j.Current(), j.Stale(), j.Close()); err != nil || j.Size() != 0 {
		t.Error(err)
	}
}
