package fsproxy_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/fsproxy"
)

// start has an agent write.
func (m *model) start() {
	op := &agentOp{}
	switch m.IntN(3) {
	case 0:
		m.anEdit(op)
	case 1:
		m.aWrite(op, "reader")
	default:
		m.aWrite(op, "")
	}
	if op.do == nil {
		return
	}
	m.ops = append(m.ops, op)
	m.say("%d starts: %s", len(m.editor.Log), op.name)
	go func() {
		op.result, op.err = op.do()
		m.done <- op
	}()
}

// anEdit replaces one character by others.
func (m *model) anEdit(op *agentOp) {
	s, err := m.overlay.Read(context.Background(), file)
	if err != nil {
		return
	}
	var candidates []rune
	for _, r := range s.Text.String() {
		if r >= 0x4E00 {
			candidates = append(candidates, r)
		}
	}
	if len(candidates) == 0 {
		return
	}
	old := candidates[m.IntN(len(candidates))]
	op.removes = []rune{old}
	op.adds = []rune{m.fresh(), m.fresh()}
	new := string(op.adds[0]) + []string{"", " ", "\n"}[m.IntN(3)] + string(op.adds[1])
	op.name = fmt.Sprintf("edit %q to %q", old, new)
	op.do = func() (*fsproxy.WriteResult, error) {
		return m.fs.Edit(context.Background(), fsproxy.EditRequest{Reader: "r", Path: file, Old: string(old), New: new})
	}
}

// aWrite changes some lines of what it read, through us or (opencode) on disk.
func (m *model) aWrite(op *agentOp, reader string) {
	var s string
	if reader != "" {
		snap, err := m.fs.Read(context.Background(), reader, file)
		if err != nil {
			return
		}
		s = snap.Text.String()
	} else {
		reader = fmt.Sprint("write only ", len(m.ops))
		s, _ = m.files.Load(file)
	}
	if m.IntN(2) == 0 {
		s = strings.ReplaceAll(s, "\r\n", "\n")
	}
	lines := strings.SplitAfter(s, "\n")
	for range 1 + m.IntN(3) {
		i := m.IntN(len(lines))
		r := m.fresh()
		op.adds = append(op.adds, r)
		body := strings.TrimRight(lines[i], "\r\n")
		end := lines[i][len(body):]
		switch m.IntN(4) {
		case 0: // a line goes for another
			for _, old := range body {
				if old >= 0x4E00 {
					op.removes = append(op.removes, old)
				}
			}
			lines[i] = string(r) + end
		case 1: // a character goes
			if rs := []rune(body); len(rs) > 0 && rs[0] >= 0x4E00 {
				op.removes = append(op.removes, rs[0])
				body = string(rs[1:])
			}
			lines[i] = string(r) + body + end
		case 2:
			lines[i] = body + " " + string(r) + end
		default: // a new line
			lines[i] = string(r) + "\n" + lines[i]
		}
	}
	// What was added and taken out again was never written.
	now := strings.Join(lines, "")
	adds := op.adds[:0]
	for _, r := range op.adds {
		if strings.ContainsRune(now, r) {
			adds = append(adds, r)
		} else {
			m.fate[r] = never
		}
	}
	op.adds = adds
	removes := op.removes[:0]
	for _, r := range op.removes {
		if m.fate[r] != never || strings.ContainsRune(s, r) {
			removes = append(removes, r)
		}
	}
	op.removes = removes
	op.name = fmt.Sprintf("%s writes %q for %q", reader, now, s)
	op.do = func() (*fsproxy.WriteResult, error) {
		return m.fs.Write(context.Background(), fsproxy.WriteRequest{Reader: reader, Path: file, Text: now})
	}
}
