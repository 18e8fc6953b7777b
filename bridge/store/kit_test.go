package store

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// notices collects what the user is told.
type notices struct {
	mu   sync.Mutex
	text []string
}

func (n *notices) add(what Notice) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.text = append(n.text, what.Text)
}

func (n *notices) list() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]string(nil), n.text...)
}

func openAt(dir string, d storage) (*Store, *notices) {
	n := &notices{}
	return Open(Config{Dir: dir, Notice: n.add, disk: d}), n
}

// note is the i-th entry of a test session; its body is long enough to be cut.
func note(i int) Entry {
	return Entry{Kind: KindNote, Turn: "t", Body: fmt.Appendf(nil, `{"i":%d,"text":"entry number %d"}`, i, i)}
}

// filled makes a session with n entries and returns its folder.
func filled(t testing.TB, dir, id string, n int) string {
	t.Helper()
	st, _ := openAt(dir, nil)
	ses, err := st.Create(Meta{ID: id, Agent: "agent-" + id, Cwd: "/w", Updated: time.Unix(1, 0)})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		ses.Append(note(i))
		if err := ses.Sync(); err != nil { // a record each
			t.Fatal(err)
		}
	}
	if err := ses.Close(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, id)
}

// load opens a session, returns its bodies and closes it.
func load(t *testing.T, st *Store, id string) (bodies []string, gaps int) {
	t.Helper()
	ses, err := st.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	bodies, gaps = entries(t, ses)
	if err := ses.Close(); err != nil {
		t.Fatal(err)
	}
	return bodies, gaps
}

func entries(t *testing.T, ses *Session) (bodies []string, gaps int) {
	t.Helper()
	if _, err := ses.Entries(func(e Entry) {
		if e.Kind == KindGap {
			gaps++
			return
		}
		bodies = append(bodies, string(e.Body))
	}); err != nil {
		t.Fatal(err)
	}
	return bodies, gaps
}

// wantNotes checks that bodies are just the notes with these numbers.
func wantNotes(t *testing.T, bodies []string, numbers ...int) {
	t.Helper()
	var want []string
	for _, i := range numbers {
		want = append(want, string(note(i).Body))
	}
	if fmt.Sprint(bodies) != fmt.Sprint(want) {
		t.Fatalf("the session has\n%v\nwant\n%v", bodies, want)
	}
}

func upTo(n int) []int {
	out := []int{}
	for i := range n {
		out = append(out, i)
	}
	return out
}

// hasty is a disk that syncs nothing, for tests that open many logs.
type hasty struct{ disk }

func (hasty) Save(name string, data []byte) error { return os.WriteFile(name, data, 0o600) }
func (hasty) SyncDir(string) error                { return nil }

func (h hasty) Append(name string) (durable.LogWriter, error) {
	f, err := h.disk.Append(name)
	return hastyFile{f}, err
}

type hastyFile struct{ durable.LogWriter }

func (hastyFile) Sync() error { return nil }
