package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// logOf gives the bytes of a log and the ends of its records.
func logOf(t testing.TB, dir string) (data []byte, ends []int64) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, logName))
	if err != nil {
		t.Fatal(err)
	}
	sc := durable.NewScanner(bytes.NewReader(data), int64(len(data)), 0, 0, maxRecord)
	for {
		r, err := sc.Next()
		if err != nil {
			return data, ends
		}
		ends = append(ends, r.End())
	}
}

// damaged puts a log of other bytes into a session's folder and removes what an earlier damage left.
func damaged(t testing.TB, dir string, data []byte) {
	t.Helper()
	old, _ := filepath.Glob(filepath.Join(dir, badName+"*"))
	for _, name := range old {
		os.Remove(name)
	}
	if err := os.WriteFile(filepath.Join(dir, logName), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func setAside(t testing.TB, dir string) []byte {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(dir, badName+"*"))
	if len(names) != 1 {
		t.Fatalf("set aside: %v, want one file", names)
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// a log cut at any byte opens with all records before the cut; the rest is set aside and told once.
func TestTailCutAtEveryByteIsSetAside(t *testing.T) {
	root := t.TempDir()
	dir := filled(t, root, "s", 6)
	whole, ends := logOf(t, dir)
	for cut := ends[len(ends)-5]; cut <= int64(len(whole)); cut++ {
		damaged(t, dir, whole[:cut])
		good, kept := int64(0), 0
		var numbers []int
		for i, e := range ends {
			if e <= cut {
				good, kept = e, i+1
			}
		}
		// Records alternate: entry, meta.
		st, told := openAt(root, hasty{})
		got, _ := load(t, st, "s")
		for i := range got {
			numbers = append(numbers, i)
		}
		wantNotes(t, got, numbers...)
		again, _ := openAt(root, hasty{})
		load(t, again, "s")
		if clean := cut == good; clean != (len(told.list()) == 0) {
			t.Fatalf("cut at %d of %d records: told %q", cut, kept, told.list())
		} else if !clean && !bytes.Equal(setAside(t, dir), whole[good:cut]) {
			t.Fatalf("cut at %d: what was set aside is not what was cut", cut)
		}
	}
}

// zeros or garbage after the last record, and a flipped bit at every byte of the log.
func TestDamageNeverLosesAnotherRecord(t *testing.T) {
	root := t.TempDir()
	dir := filled(t, root, "s", 3)
	whole, _ := logOf(t, dir)
	all := 3
	for _, tail := range [][]byte{make([]byte, 1728), bytes.Repeat([]byte{0xff}, 100), []byte("{}"), whole[:40]} {
		damaged(t, dir, append(bytes.Clone(whole), tail...))
		st, told := openAt(root, hasty{})
		got, _ := load(t, st, "s")
		wantNotes(t, got, upTo(all)...)
		if len(told.list()) != 1 {
			t.Fatalf("told %q, want one notice", told.list())
		}
	}
	for at := range whole {
		bad := bytes.Clone(whole)
		bad[at] ^= 1 << (at % 8)
		damaged(t, dir, bad)
		st, told := openAt(root, hasty{})
		got, _ := load(t, st, "s")
		if len(got) < all-1 {
			t.Fatalf("a bit at %d cost %d entries", at, all-len(got))
		}
		if n := len(told.list()); n != 1 {
			t.Fatalf("a bit at %d: told %q", at, told.list())
		}
		again, quiet := openAt(root, hasty{})
		if more, _ := load(t, again, "s"); len(more) != len(got) || len(quiet.list()) != 0 {
			t.Fatalf("a bit at %d: the second opening has %d entries of %d and tells %q", at, len(more), len(got), quiet.list())
		}
	}
}

// records after a damaged place are salvaged, the place is marked, and new entries follow.
func TestMiddleDamageIsSalvaged(t *testing.T) {
	root := t.TempDir()
	dir := filled(t, root, "s", 20)
	whole, ends := logOf(t, dir)
	bad := bytes.Clone(whole)
	// The record that holds note 7, whole, is overwritten.
	at := bytes.Index(whole, note(7).Body)
	var from, to int64
	for _, e := range ends {
		if e <= int64(at) {
			from = e
		} else {
			to = e
			break
		}
	}
	copy(bad[from:to], bytes.Repeat([]byte{'x'}, int(to-from)))
	damaged(t, dir, bad)
	st, told := openAt(root, hasty{})
	ses, err := st.Load("s")
	if err != nil {
		t.Fatal(err)
	}
	got, gaps := entries(t, ses)
	var want []int
	for i := range 20 {
		if i != 7 {
			want = append(want, i)
		}
	}
	wantNotes(t, got, want...)
	if gaps != 1 || len(told.list()) != 1 || !strings.Contains(told.list()[0], "salvaged") {
		t.Fatalf("%d gaps, told %q", gaps, told.list())
	}
	ses.Append(note(20))
	if err := ses.Close(); err != nil {
		t.Fatal(err)
	}
	got, _ = load(t, st, "s")
	wantNotes(t, got, append(want, 20)...)
	if !bytes.Equal(setAside(t, dir), bad[from:]) {
		t.Fatal("what was set aside is not what was damaged")
	}
}

// A damaged small file costs nothing: the log knows what the session is.
func TestDamagedMetaIsMadeAgain(t *testing.T) {
	root := t.TempDir()
	dir := filled(t, root, "s", 3)
	for _, text := range []string{"", "{", `{"id":"other"}`, "\x00\x00\x00"} {
		os.WriteFile(filepath.Join(dir, metaName), []byte(text), 0o600)
		st, _ := openAt(root, hasty{})
		list, err := st.List()
		if err != nil || len(list) != 1 || list[0].Agent != "agent-s" {
			t.Fatalf("%q: %+v, %v", text, list, err)
		}
	}
}

// a log of a newer format is read and never written, damage or not.
func TestNewerFormatIsReadOnly(t *testing.T) {
	root := t.TempDir()
	dir := filled(t, root, "s", 2)
	whole, ends := logOf(t, dir)
	newer := durable.AppendRecord(bytes.Clone(whole), uint64(len(ends)+1), []byte(`{"k":"meta","v":{"format":2,"id":"s","cwd":"/w"}}`))
	newer = append(newer, "torn"...)
	damaged(t, dir, newer)
	st, _ := openAt(root, hasty{})
	ses, err := st.Load("s")
	if err != nil {
		t.Fatal(err)
	}
	got, _ := entries(t, ses)
	wantNotes(t, got, 0, 1)
	ses.Append(note(9))
	if err := ses.Sync(); !errors.Is(err, ErrNewer) {
		t.Fatalf("sync: %v, want ErrNewer", err)
	}
	ses.Close()
	if now, _ := os.ReadFile(filepath.Join(dir, logName)); !bytes.Equal(now, newer) {
		t.Fatal("the log of the newer version was changed")
	}
}

// A log that cannot be read at all, or is gone, is said so; the session opens.
func TestMissingLogIsTold(t *testing.T) {
	root := t.TempDir()
	dir := filled(t, root, "s", 2)
	os.Remove(filepath.Join(dir, logName))
	st, told := openAt(root, hasty{})
	got, _ := load(t, st, "s")
	if len(got) != 0 || len(told.list()) != 1 {
		t.Fatalf("%v, told %q", got, told.list())
	}
}

func FuzzOpen(f *testing.F) {
	root := f.TempDir()
	st, _ := openAt(root, hasty{})
	ses, err := st.Create(Meta{ID: "s", Cwd: "/w"})
	if err != nil {
		f.Fatal(err)
	}
	ses.Append(note(1))
	ses.Close()
	dir := filepath.Join(root, "s")
	whole, _ := logOf(f, dir)
	f.Add(whole)
	f.Add(append(bytes.Clone(whole), whole...))
	f.Fuzz(func(t *testing.T, data []byte) {
		damaged(t, dir, data)
		st, _ := openAt(root, hasty{})
		before, _ := load(t, st, "s")
		again, told := openAt(root, hasty{})
		after, _ := load(t, again, "s")
		if len(before) != len(after) || len(told.list()) != 0 {
			t.Fatalf("a second opening has %d entries of %d and tells %q", len(after), len(before), told.list())
		}
	})
}
