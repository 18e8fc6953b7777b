package policy

import (
	"bytes"
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
	"github.com/google/renameio/v2/maybe"
)

// Remembered is an answer that was given for good.
type Remembered struct {
	ID   string    `json:"id"`
	Rule Rule      `json:"rule"`
	What string    `json:"what"` // the question it was the answer to
	When time.Time `json:"when"`
}

// Memory keeps remembered answers in one file of the person's, mode 0600, outside every workspace. Two processes may
// use it at once: each change reads the file anew under a lock file, and reads see the file as it is.
type Memory struct {
	path string // "" keeps everything in memory
	mu   sync.Mutex
	mem  []Remembered // with path "", and the last good state of the file
	mod  fileStamp
}

type fileStamp struct {
	size int64
	mod  time.Time
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

// Close lets go of the file.
func (m *Memory) Close() error { return nil }

// Add remembers a rule; it is on disk when Add returns. The same rule twice is one.
func (m *Memory) Add(r Rule, what string) (id string, err error) {
	err = m.change(func(all []Remembered) []Remembered {
		for _, x := range all {
			if x.Rule.String() == r.String() {
				id = x.ID
				return all
			}
		}
		id = nextID(all)
		return append(all, Remembered{ID: id, Rule: r, What: what, When: time.Now().UTC().Truncate(time.Second)})
	})
	return id, err
}

// List returns what is remembered, oldest first.
func (m *Memory) List() ([]Remembered, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.load()
}

// Revoke forgets an answer.
func (m *Memory) Revoke(id string) error {
	found := false
	err := m.change(func(all []Remembered) []Remembered {
		return slices.DeleteFunc(all, func(x Remembered) bool {
			found = found || x.ID == id
			return x.ID == id
		})
	})
	if err == nil && !found {
		return fmt.Errorf("no remembered permission has the id %q; copilot-bridge permissions lists them", id)
	}
	return err
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

func (m *Memory) change(f func([]Remembered) []Remembered) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.path == "" {
		m.mem = f(slices.Clone(m.mem))
		return nil
	}
	unlock, err := lockFile(m.path + ".lock")
	if err != nil {
		return fmt.Errorf("lock the remembered permissions: %w", err)
	}
	defer unlock()
	m.mod = fileStamp{}
	all, err := m.load()
	if err != nil {
		return err
	}
	all = f(slices.Clone(all))
	b, err := json.Marshal(all, jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		return err
	}
	if err := maybe.WriteFile(m.path, append(b, '\n'), 0o600); err != nil {
		return fmt.Errorf("keep the remembered permissions: %w", err)
	}
	m.mod, m.mem = fileStamp{}, all
	return nil
}

// load reads the file if it is not the one that was read last. A file that others may write is not believed.
func (m *Memory) load() ([]Remembered, error) {
	if m.path == "" {
		return m.mem, nil
	}
	fi, err := os.Stat(m.path)
	if errors.Is(err, fs.ErrNotExist) {
		m.mem = nil
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := private(fi); err != nil {
		return nil, fmt.Errorf("%s: %w", m.path, err)
	}
	stamp := fileStamp{fi.Size(), fi.ModTime()}
	if stamp == m.mod {
		return m.mem, nil
	}
	b, err := os.ReadFile(m.path)
	if err != nil {
		return nil, err
	}
	var all []Remembered
	if err := json.UnmarshalRead(bytes.NewReader(b), &all); err != nil {
		return nil, fmt.Errorf("%s is damaged (%w); move it away to start afresh", m.path, err)
	}
	for _, x := range all {
		if err := x.Rule.check(); err != nil {
			return nil, fmt.Errorf("%s: %s.%w", m.path, x.ID, err)
		}
	}
	m.mem, m.mod = all, stamp
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
