package review

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/journal"
	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// opened opens a book on a journal of testdata. They were written by the version before the live types were those of the
// journal: records.log change by change, snapshot.log as it was compacted then.
func opened(t *testing.T, name string) *Book {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	b, err := Open(Config{Dir: dir, Workspace: "/w"}) // makes the folder
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(b.folder.Path, journal.Name(0))
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err = Open(Config{Dir: dir, Workspace: "/w", Notice: func(s string) { t.Error(s) }}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// bodies are the records of a journal behind its header, decoded.
func bodies(t *testing.T, data []byte) (out []any) {
	t.Helper()
	sc := durable.NewScanner(bytes.NewReader(data), int64(len(data)), 0, 0, maxRecord)
	for r, err := sc.Next(); err == nil; r, err = sc.Next() {
		var v any
		if err := json.Unmarshal(r.Body, &v); err != nil {
			t.Fatal(err)
		}
		if r.Seq > 1 {
			out = append(out, v)
		}
	}
	return out
}

func TestAJournalOfAnEarlierVersionIsReadAndGoesOnInItsWords(t *testing.T) {
	b := opened(t, "records.log")
	c := opened(t, "snapshot.log")
	if x, y := seen(b), seen(c); x != y {
		t.Errorf("change by change %s\nas a snapshot %s", x, y)
	}
	if got, want := shape(c, "/a"), `4-6 "line 3\n">"LINE 3 again\nand \xff\xfe bytes\n"`; got != want {
		t.Errorf("got %s want %s", got, want)
	}
	if fs := c.Files(Filter{Turn: "t1"}); len(fs) != 1 || len(fs[0].Hunks[0].Turns) != 2 {
		t.Error(fs)
	}
	before, err := os.ReadFile(filepath.Join("testdata", "snapshot.log"))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []*Book{b, c} {
		b.mu.Lock()
		if err := b.journal.Compact(); err != nil {
			t.Error(err)
		}
		path := filepath.Join(b.folder.Path, journal.Name(0))
		b.mu.Unlock()
		after, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if x, y := bodies(t, before), bodies(t, after); !reflect.DeepEqual(x, y) {
			t.Errorf("was %v\nis %v", x, y)
		}
	}
}
