package acptest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
)

// Marks is the test's side of the markers of a script.
type Marks struct {
	mu      sync.Mutex
	have    map[string]bool
	vars    map[string]string
	ended   bool
	err     error
	changed chan struct{}
	set     func(name string)
}

func newMarks() *Marks {
	return &Marks{have: map[string]bool{}, vars: map[string]string{}, changed: make(chan struct{})}
}

func (m *Marks) change(f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f()
	close(m.changed)
	m.changed = make(chan struct{})
}

func (m *Marks) reached(name string, vars map[string]string) {
	m.change(func() {
		m.have[name] = true
		maps.Copy(m.vars, vars)
	})
}

func (m *Marks) over(err error) { m.change(func() { m.ended, m.err = true, err }) }

// Set sets a marker that the script waits for. It may come first.
func (m *Marks) Set(name string) { m.set(name) }

// Await returns when the script comes to a marker, or has been there. When the script is over without, the error says
// why it is.
func (m *Marks) Await(ctx context.Context, name string) error {
	for {
		m.mu.Lock()
		have, ended, err, changed := m.have[name], m.ended, m.err, m.changed
		m.mu.Unlock()
		switch {
		case have:
			return nil
		case ended && err == nil:
			return fmt.Errorf("the script is over and was not at %q", name)
		case ended:
			return fmt.Errorf("the script never came to %q: %w", name, err)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("the script is not at %q yet", name), ctx.Err())
		}
	}
}

// Var is the value that a variable of the script had at the last marker.
func (m *Marks) Var(name string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.vars[name]
}
