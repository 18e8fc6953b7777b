package store

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// 10,000 sessions are listed without reading their conversations.
func TestListOfTenThousandIsQuick(t *testing.T) {
	root := t.TempDir()
	for i := range 10_000 {
		dir := filepath.Join(root, fmt.Sprintf("s-%d", i))
		os.Mkdir(dir, 0o700)
		text := fmt.Sprintf(`{"format":1,"id":"s-%d","agent":"0b1c2d3e-0000-4000-8000-%012d","cwd":"/home/somebody/src/project-%d","title":"A title of the usual length, number %d","created":"2026-01-01T00:00:00Z","updated":"2026-01-%02dT00:00:00Z","turns":7}`, i, i, i, i, i%28+1)
		os.WriteFile(filepath.Join(dir, metaName), []byte(text), 0o600)
	}
	st, _ := openAt(root, nil)
	best := time.Hour
	for range 3 {
		start := time.Now()
		list, err := st.List()
		if err != nil || len(list) != 10_000 {
			t.Fatalf("%d sessions, %v", len(list), err)
		}
		best = min(best, time.Since(start))
	}
	t.Logf("10,000 sessions: %v", best)
	if limit := 200 * time.Millisecond * slack; best > limit {
		t.Errorf("listing took %v, more than %v", best, limit)
	}
}

// a log of a gigabyte opens within 5 s, and in memory that its tail needs.
func TestGigabyteOpens(t *testing.T) {
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
	for seq, n := uint64(len(ends)+1), int64(0); n < 1<<30; seq++ {
		buf = frame(buf[:0], seq, js)
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
	if err != nil || !skipped || n == 0 {
		t.Fatalf("%d entries, skipped %v, %v", n, skipped, err)
	}
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	t.Logf("1 GiB: open %v, with its last %d entries %v, %d MiB in use", opened, n, took, after.HeapInuse>>20)
	if limit := 5 * time.Second * slack; took > limit {
		t.Errorf("opening took %v, more than %v", took, limit)
	}
	if after.HeapInuse > before.HeapInuse+200<<20 {
		t.Errorf("%d MiB in use", after.HeapInuse>>20)
	}
	ses.Close()
}
