package fsproxy_test

import (
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/fsproxytest"
)

// typeSomething puts one or two new characters, or a line, anywhere in the buffer.
func (m *model) typeSomething() {
	s, open := m.editor.Text(file)
	if !open || m.calm {
		return
	}
	at := m.place(s)
	r := m.fresh()
	put := string(r)
	switch m.IntN(6) {
	case 0:
		put += " "
	case 1:
		put += string(m.fresh())
	case 2:
		put += "\n"
	}
	m.editor.Type(file, at, put)
}

// place is an offset where the user can have the cursor.
func (m *model) place(s string) int {
	for {
		at := m.IntN(len(s) + 1)
		if at == len(s) || at == 0 {
			return at
		}
		if s[at]&0xC0 != 0x80 && !(s[at] == '\n' && s[at-1] == '\r') {
			return at
		}
	}
}

// person saves, closes or opens.
func (m *model) person() {
	s, open := m.editor.Text(file)
	if m.editor.Behind(file) {
		return // asked whether to overwrite the file, they think about it
	}
	if m.kind == fsproxytest.Kak && open && !m.allDone() {
		return // an edit made in the wrong place cannot be put right in a buffer that is gone
	}
	switch m.IntN(4) {
	case 0:
		if !open {
			m.editor.Open(file)
		}
	case 1:
		if open {
			_ = m.editor.SaveFile(file)
		}
	case 2:
		if open {
			_ = m.editor.SaveFile(file)
			m.editor.Close(file)
		}
	default:
		if !open || !m.mayLose {
			return
		}
		// What is only in the buffer goes, by the user's will.
		onDisk, _ := m.files.Load(file)
		for r := range m.fate {
			if !strings.ContainsRune(onDisk, r) || !strings.ContainsRune(s, r) {
				m.fate[r] = maybe
			}
		}
		for _, op := range m.ops {
			op.closed = op.closed || !op.finished || !op.result_().Saved
		}
		m.editor.Close(file)
	}
}

func (op *agentOp) result_() *fsproxy.WriteResult {
	if op.result == nil {
		return &fsproxy.WriteResult{}
	}
	return op.result
}
