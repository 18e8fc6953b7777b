package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/internal/durable"
)

// Remembered is an answer that was given for good.
type Remembered struct {
	ID   string    `json:"id"`
	Rule Rule      `json:"rule"`
	What string    `json:"what"` // the question it was the answer to
	When time.Time `json:"when"`
}

// Memory keeps remembered answers in one file of the user's, mode 0600, outside every workspace. Two processes may
// use it at once: each change reads the file anew under a lock file, and reads see the file as it is.
type Memory struct {
	path string // "" keeps everything in memory
	mu   sync.Mutex
	mem  []Remembered // with path "", and the last good state of the file
	seen fs.FileInfo  // of the file that mem was read from, nil for none
}

// OpenMemory opens the file, which need not exist. path "" remembers until the process ends.
func OpenMemory(path string) (*Memory, error) {
	m := &Memory{path: path}
	if path == "" {
		return m, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	_, err := m.load()
	return m, err
}

// Add remembers a rule; it is on disk when Add returns. The same rule twice is one.
func (m *Memory) Add(r Rule, what string) (id string, err error) {
	if err := r.checkRemembered(); err != nil {
		return "", fmt.Errorf("this cannot be remembered: %w", err)
	}
	err = m.change(func(all []Remembered) ([]Remembered, error) {
		for _, x := range all {
			if x.Rule.String() == r.String() {
				id = x.ID
				return all, nil
			}
		}
		if len(all) >= maxRemembered {
			return nil, fmt.Errorf("%d answers are remembered already; revoke some", len(all))
		}
		id = nextID(all)
		return append(all, Remembered{ID: id, Rule: r, What: what, When: time.Now().UTC().Truncate(time.Second)}), nil
	})
	return id, err
}

// List returns what is remembered, oldest first.
func (m *Memory) List() ([]Remembered, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.load()
}

// ErrNotRemembered is that there is no answer of that id.
var ErrNotRemembered = errors.New("no remembered permission")

// Revoke forgets an answer. The error is an [ErrNotRemembered] where there is none of that id.
func (m *Memory) Revoke(id string) error {
	return m.change(func(all []Remembered) ([]Remembered, error) {
		rest := slices.DeleteFunc(slices.Clone(all), func(x Remembered) bool { return x.ID == id })
		if len(rest) == len(all) {
			return nil, fmt.Errorf("%w has the id %q", ErrNotRemembered, id)
		}
		return rest, nil
	})
}

// rules are the remembered rules; none if the file cannot be read: what is not known is asked.
func (m *Memory) rules() []Rule {
	all, err := m.List()
	if err != nil {
		return nil
	}
	out := make([]Rule, len(all))
	for i, x := range all {
		out[i] = x.Rule
	}
	return out
}

// change rewrites the file under a lock of all processes. If f fails nothing is changed.
func (m *Memory) change(f func([]Remembered) ([]Remembered, error)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.path == "" {
		all, err := f(slices.Clone(m.mem))
		if err == nil {
			m.mem = all
		}
		return err
	}
	lock, err := durable.LockWait(m.path + ".lock")
	if err != nil {
		return fmt.Errorf("lock the remembered permissions: %w", err)
	}
	defer lock.Close()
	all, err := m.load()
	if err != nil {
		return err
	}
	if all, err = f(slices.Clone(all)); err != nil {
		return err
	}
	b, err := json.Marshal(all, jsontext.WithIndent("  "), json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	if err := durable.Save(m.path, append(b, '\n')); err != nil {
		return fmt.Errorf("keep the remembered permissions: %w", err)
	}
	m.seen = nil // whatever comes next reads what is really there
	if err := durable.SyncDir(filepath.Dir(m.path)); err != nil {
		return fmt.Errorf("keep the remembered permissions: %w", err)
	}
	return nil
}

// load reads the file if it is not the one that was read last. A file that others may write is not believed. Caller
// holds mu.
func (m *Memory) load() ([]Remembered, error) {
	if m.path == "" {
		return m.mem, nil
	}
	fi, err := os.Lstat(m.path)
	if errors.Is(err, fs.ErrNotExist) {
		m.mem, m.seen = nil, nil
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := private(fi); err != nil {
		return nil, fmt.Errorf("%s: %w", m.path, err)
	}
	if m.seen != nil && os.SameFile(m.seen, fi) && m.seen.Size() == fi.Size() && m.seen.ModTime().Equal(fi.ModTime()) {
		return m.mem, nil
	}
	b, err := os.ReadFile(m.path)
	if err != nil {
		return nil, err
	}
	all, err := parseRemembered(b)
	if err != nil {
		return nil, fmt.Errorf("%s is damaged (%w); move it away to start afresh", m.path, err)
	}
	m.mem, m.seen = all, fi
	return all, nil
}

func parseRemembered(b []byte) ([]Remembered, error) {
	var all []Remembered
	if err := json.Unmarshal(b, &all, jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	for _, x := range all {
		if x.ID == "" || ids[x.ID] {
			return nil, fmt.Errorf("the id %q is there twice or empty", x.ID)
		}
		ids[x.ID] = true
		if err := x.Rule.checkRemembered(); err != nil {
			return nil, fmt.Errorf("%s.%w", x.ID, err)
		}
	}
	return all, nil
}

func nextID(all []Remembered) string {
	n := 0
	for _, x := range all {
		var k int
		if _, err := fmt.Sscanf(x.ID, "p%d", &k); err == nil {
			n = max(n, k)
		}
	}
	return fmt.Sprintf("p%d", n+1)
}
