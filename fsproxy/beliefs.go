package fsproxy

import (
	"container/list"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// memory knows what each reader believes a file to hold: what it was served last,
// or what it has written since. ACP writes carry no version; this is ours. The
// least recently used beliefs are forgotten, which costs a writer a "read it
// again".
type memory struct {
	mu      sync.Mutex
	lost    map[string]bool          // readers of whose reads some are forgotten
	entries map[belief]*list.Element // of *served
	recent  list.List                // most recently used first
	bytes   int
}

type belief struct{ reader, path string }

// served is immutable.
type served struct {
	belief
	text text.Text
	read bool // the reader has read it through us; else it only ever wrote it
}

// recall returns what reader believes path to hold, nil if it never said or was
// told. lost says that it may have been, and that this is forgotten.
func (m *memory) recall(reader, path string) (s *served, lost bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.entries[belief{reader, path}]
	if e == nil {
		return nil, m.lost[reader]
	}
	m.recent.MoveToFront(e)
	return e.Value.(*served), false
}

// note remembers t as what reader read at path, or, if not read, wrote there.
// Readers without a name are not remembered.
func (m *memory) note(reader, path string, t text.Text, read bool) {
	if reader == "" {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.entries == nil {
		m.entries = make(map[belief]*list.Element)
	}
	key := belief{reader, path}
	if e := m.entries[key]; e != nil {
		read = read || e.Value.(*served).read
		m.drop(e)
	}
	m.entries[key] = m.recent.PushFront(&served{key, t, read})
	m.bytes += t.Len()
	for m.recent.Len() > 1 && (m.recent.Len() > maxServed || m.bytes > maxServedBytes) {
		oldest := m.recent.Back()
		if s := oldest.Value.(*served); s.read {
			if m.lost == nil {
				m.lost = make(map[string]bool)
			}
			m.lost[s.reader] = true
		}
		m.drop(oldest)
	}
}

// forget drops the beliefs that match.
func (m *memory) forget(match func(belief) bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for e := m.recent.Front(); e != nil; {
		next := e.Next()
		if match(e.Value.(*served).belief) {
			m.drop(e)
		}
		e = next
	}
}

// drop needs the lock.
func (m *memory) drop(e *list.Element) {
	s := e.Value.(*served)
	m.recent.Remove(e)
	delete(m.entries, s.belief)
	m.bytes -= s.text.Len()
}
