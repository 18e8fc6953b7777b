package fsproxy_test

import (
	"errors"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// judge counts.
func (m *model) judge(outcomes map[string]int) {
	for _, op := range m.ops {
		var e *fsproxy.EditError
		set := func(rs []rune, f fate) {
			for _, r := range rs {
				if m.fate[r] != maybe {
					m.fate[r] = f
				}
			}
		}
		switch {
		case op.closed:
			outcomes["closed without saving"]++
			set(op.adds, maybe)
			set(op.removes, maybe)
		case op.err == nil:
			outcomes[op.result.Outcome.String()]++
			set(op.adds, once)
			set(op.removes, never)
		case errors.Is(op.err, fsproxy.ErrUnknown):
			outcomes["unknown"]++
			set(op.adds, maybe)
			set(op.removes, maybe)
		case errors.As(op.err, &e):
			outcomes[e.Outcome.String()]++
			set(op.adds, never)
		default:
			outcomes["error"]++
			set(op.adds, never)
		}
	}
	final, open := m.editor.Text(file)
	onDisk, _ := m.files.Load(file)
	if !open {
		final = onDisk
	} else if snap, _ := m.overlay.Lookup(file); snap == nil || snap.Text.String() != final {
		m.fail("the overlay has not the buffer's text")
	}
	if open && m.editor.Behind(file) {
		// What was written to disk while the editor was opening the file, and could
		// not be brought into the buffer, is there; the editor asks before it saves.
		for _, op := range m.ops {
			for _, r := range op.adds {
				if m.fate[r] == once && strings.ContainsRune(onDisk, r) && !strings.ContainsRune(final, r) {
					m.fate[r] = maybe
				}
			}
			for _, r := range op.removes {
				if m.fate[r] == never && !strings.ContainsRune(onDisk, r) {
					m.fate[r] = maybe
				}
			}
		}
	}
	for r, f := range m.fate {
		n := strings.Count(final, string(r))
		if n > 1 || f == once && n == 0 || f == never && n > 0 {
			m.fail("%c is there %d times, want %v", r, n, []string{"once", "never", "at most once"}[f])
		}
	}
	snap, isOpen := m.overlay.Lookup(file)
	dirty := isOpen && snap.Dirty
	for _, op := range m.ops {
		if op.err != nil || !op.result.Saved || op.closed || dirty {
			continue // with unsaved text the disk may be older than what was saved then
		}
		for _, r := range op.adds {
			if m.fate[r] == once && !strings.ContainsRune(onDisk, r) {
				m.fail("%c is said to be saved and is not on disk: %q", r, onDisk)
			}
		}
	}
	if m.t.Failed() || *oneSeed != 0 {
		m.t.Logf("final %q\nwhat happened:\n%s\nthe FS:\n%sthe editor:\n%s", final, strings.Join(m.log, "\n"), strings.Join(m.told, ""), strings.Join(m.editor.Log, "\n"))
	}
}

func (m *model) fail(format string, args ...any) {
	m.t.Helper()
	m.t.Errorf(format, args...)
}
