package review

import "github.com/copilot-bridge/copilot-bridge/bridge/review/lines"

// markKind says what became of a hunk.
type markKind string

const (
	kept   markKind = "kept"
	undone markKind = "undone"
	// reverted: the agent itself, in a later turn, brought the hunk back to its
	// base text. Undoing that turn makes it pending again.
	reverted markKind = "reverted"
)

// mark remembers a hunk that is no longer pending, where it stood, and what can
// stand there instead. Marks move with the text like hunks; one whose lines are
// changed by anybody is stale.
type mark struct {
	Kind       markKind `json:"kind"`
	Hunk       hunk     `json:"hunk"`          // as it was; its start and end are those of the mark, now
	Text       string   `json:"text,omitzero"` // undone, reverted: what had stood there
	Part       bool     `json:"part,omitzero"` // undone: only the part of one turn was taken out, the hunk is still there
	File       *fileOp  `json:"file,omitzero"`
	Group      uint64   `json:"group,omitzero"` // undone: marks of one undo share it
	Stale      bool     `json:"stale,omitzero"`
	UndoneTurn string   `json:"turn,omitzero"` // part: whose part; reverted: by whom

	// Fresh says that nothing but undo and redo has happened to the file since:
	// only then can an editor's own redo bring the hunk back.
	Fresh bool `json:"fresh,omitzero"`
}

// turnMatches says that the mark belongs to a turn.
func (m *mark) turnMatches(turn string) bool {
	if m.Part || m.Kind == reverted {
		return m.UndoneTurn == turn
	}
	return m.Hunk.has(turn) || m.File != nil && m.File.Turn == turn
}

// old gives what stands there once the mark is undone: the text before a kept hunk, or a reverted one.
func (m *mark) old() string {
	if m.Kind == kept {
		return m.Hunk.Old
	}
	return m.Text
}

// move shifts the mark by the blocks of a change, in order, or makes it stale.
func (m *mark) move(ks []lines.Block) {
	at, end, shift := m.Hunk.Start, m.Hunk.End, 0
	for _, k := range ks {
		if at == end && k.Start == at && k.End == at {
			// Inserted just where the mark stands without lines.
			if k.Rank < m.Hunk.Rank {
				shift += k.Delta()
			}
			continue
		}
		if k.Start >= end {
			break
		}
		if k.End > at {
			m.Stale = true
			return
		}
		shift += k.Delta()
	}
	m.Hunk.Start, m.Hunk.End = at+shift, end+shift
}
