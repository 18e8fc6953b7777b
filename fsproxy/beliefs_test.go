package fsproxy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

func TestMemoryIsBounded(t *testing.T) {
	var m memory
	for i := range maxServed + 10 {
		m.note("r", fmt.Sprint(i), text.New("x"), true)
	}
	if n := len(m.entries); n != maxServed || m.recent.Len() != n {
		t.Errorf("%d entries", n)
	}
	if s, lost := m.recall("r", "0"); s != nil || !lost {
		t.Errorf("the first is %v, lost %v: it must be known to be forgotten", s, lost)
	}
	if _, lost := m.recall("other", "0"); lost {
		t.Error("a reader that never read has lost something")
	}
	if m.forget(func(belief) bool { return true }); len(m.entries) != 0 || m.bytes != 0 {
		t.Errorf("after all is forgotten: %d entries, %d bytes", len(m.entries), m.bytes)
	}
	big := text.New(strings.Repeat("x", maxServedBytes/2+1))
	m.note("a", "1", big, true)
	m.note("a", "2", big, true)
	if m.bytes > maxServedBytes || m.recent.Len() != 1 {
		t.Errorf("%d bytes in %d entries", m.bytes, m.recent.Len())
	}
}

func TestMemoryKnowsReadingFromWriting(t *testing.T) {
	var m memory
	m.note("", "f", text.New("x"), true)
	m.note("w", "f", text.New("1"), false)
	if s, _ := m.recall("w", "f"); s == nil || s.read {
		t.Errorf("a writer: %+v", s)
	}
	m.note("w", "f", text.New("2"), true)
	m.note("w", "f", text.New("3"), false)
	if s, _ := m.recall("w", "f"); !s.read || s.text.String() != "3" {
		t.Errorf("a reader that wrote: %+v", s)
	}
	if len(m.entries) != 1 {
		t.Errorf("%d entries: readers without a name are not remembered", len(m.entries))
	}
	m.forget(func(b belief) bool { return b.path == "f" })
	if s, lost := m.recall("w", "f"); s != nil || lost {
		t.Errorf("forgotten on purpose: %v, %v", s, lost)
	}
}
