package store

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// 10,000 sessions are listed without reading their conversations.
func TestListDoesNotLoadBodies(t *testing.T) { list(t, 500) }

// BenchmarkList is a list of 10,000 sessions: under 200 ms is promised.
func BenchmarkList(b *testing.B) { list(b, 10_000) }

func list(t testing.TB, n int) {
	root := t.TempDir()
	for i := range n {
		dir := filepath.Join(root, fmt.Sprintf("s-%d", i))
		os.Mkdir(dir, 0o700)
		text := fmt.Sprintf(`{"format":1,"id":"s-%d","agent":"0b1c2d3e-0000-4000-8000-%012d","cwd":"/home/somebody/src/project-%d","title":"A title of the usual length, number %d","created":"2026-01-01T00:00:00Z","updated":"2026-01-%02dT00:00:00Z","turns":7}`, i, i, i, i, i%28+1)
		os.WriteFile(filepath.Join(dir, metaName), []byte(text), 0o600)
	}
	took := func(st *Store) time.Duration {
		start := time.Now()
		list, err := st.List()
		if err != nil || len(list) != n {
			t.Fatalf("%d sessions, %v", len(list), err)
		}
		return time.Since(start)
	}
	first, again := time.Hour, time.Hour
	for range 3 {
		st, _ := openAt(root, nil)
		st.cfg.Now = func() time.Time { return time.Now().Add(time.Hour) } // the files are not new
		first = min(first, took(st))
		again = min(again, took(st))
	}
	t.Logf("%d sessions: %v, once more %v", n, first, again)
	if b, ok := t.(*testing.B); ok {
		b.ReportMetric(float64(first.Microseconds())/1000, "list-ms")
		b.ReportMetric(float64(again.Microseconds())/1000, "again-ms")
	}
}

// TestAListingSeesEveryChange guards what it remembers of the last one: a session that was changed, by us or by another
// process, that is new or gone, or whose small file was damaged, is shown as it is.
func TestAListingSeesEveryChange(t *testing.T) {
	root := t.TempDir()
	st, _ := openAt(root, nil)
	other, _ := openAt(root, nil)
	now := time.Now()
	st.cfg.Now = func() time.Time { return now }
	titles := func() string {
		list, err := st.List()
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, m := range list {
			out = append(out, m.ID+"="+m.Title)
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
	sessions := map[string]*Session{}
	for _, id := range []string{"a", "b"} {
		ses, err := other.Create(Meta{ID: id, Title: "0"})
		if err == nil {
			err = ses.Sync()
		}
		if err != nil {
			t.Fatal(err)
		}
		sessions[id] = ses
	}
	for i := range 20 {
		now = time.Now().Add(time.Duration(i%2) * time.Hour) // whether the file is new or not
		was := titles()
		sessions["a"].SetMeta(func(m *Meta) { m.Title = fmt.Sprint(i % 7) })
		if err := sessions["a"].Sync(); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("a=%d b=0", i%7); titles() != want {
			t.Fatalf("%s after %s, want %s", titles(), was, want)
		}
	}
	now = time.Now().Add(time.Hour)
	titles()
	if err := os.WriteFile(filepath.Join(root, "a", metaName), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := titles(); got != "a=5 b=0" {
		t.Fatal(got)
	}
	for _, ses := range sessions {
		ses.Close()
	}
	if err := other.Delete("b"); err != nil {
		t.Fatal(err)
	}
	if got := titles(); got != "a=5" {
		t.Fatal(got)
	}
}

// a log of a gigabyte opens within 5 s, and in memory that its tail needs.
func TestALongLogOpensInTheMemoryOfItsTail(t *testing.T) { open(t, 64<<20) }

// BenchmarkOpen opens a log of a gigabyte: under 5 s is promised.
func BenchmarkOpen(b *testing.B) { open(b, 1<<30) }

func open(t testing.TB, size int64) {
	root := t.TempDir()
	dir := filled(t, root, "s", 1)
	_, ends := logOf(t, dir)
	f, err := os.OpenFile(filepath.Join(dir, logName), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	js := []byte(`{"k":"update","turn":"t","v":"` + strings.Repeat("x", 32<<10) + `"}`)
	var buf []byte
	for seq, n := uint64(len(ends)+1), int64(0); n < size; seq++ {
		buf = durable.AppendRecord(buf[:0], seq, js)
		w.Write(buf)
		n += int64(len(buf))
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	st, _ := openAt(root, nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	ses, err := st.Load("s")
	if err != nil {
		t.Fatal(err)
	}
	opened := time.Since(start)
	n := 0
	skipped, err := ses.Entries(func(Entry) { n++ })
	if err != nil || n == 0 {
		t.Fatalf("%d entries, skipped %v, %v", n, skipped, err)
	}
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	t.Logf("%d MiB: open %v, with its last %d entries %v, %d MiB in use", size>>20, opened, n, took, after.HeapInuse>>20)
	if b, ok := t.(*testing.B); ok {
		b.ReportMetric(took.Seconds(), "open-s")
	}
	if after.HeapInuse > before.HeapInuse+200<<20 {
		t.Errorf("%d MiB in use", after.HeapInuse>>20)
	}
	ses.Close()
}
