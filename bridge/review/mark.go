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
	kind       markKind
	h          hunk   // as it was; its start and end are those of the mark, now
	text       string // undone, reverted: what had stood there
	part       bool   // undone: only the part of one turn was taken out, the hunk is still there
	file       *fileOp
	group      uint64 // undone: marks of one undo share it
	stale      bool
	undoneTurn string // part: whose part; reverted: by whom

	// fresh says that nothing but undo and redo has happened to the file since:
	// only then can an editor's own redo bring the hunk back.
	fresh bool
}

// turnMatches says that the mark belongs to a turn.
func (m *mark) turnMatches(turn string) bool {
	if m.part || m.kind == reverted {
		return m.undoneTurn == turn
	}
	return m.h.has(turn) || m.file != nil && m.file.turn == turn
}

// old gives what stands there once the mark is undone: the text before a kept hunk, or a reverted one.
func (m *mark) old() string {
	if m.kind == kept {
		return m.h.old
	}
	return m.text
}

// move shifts the mark by the blocks of a change, in order, or makes it stale.
func (m *mark) move(ks []lines.Block) {
	at, end, shift := m.h.start, m.h.end, 0
	for _, k := range ks {
		if at == end && k.Start == at && k.End == at {
			// Inserted just where the mark stands without lines.
			if k.Rank < m.h.rank {
				shift += k.Delta()
			}
			continue
		}
		if k.Start >= end {
			break
		}
		if k.End > at {
			m.stale = true
			return
		}
		shift += k.Delta()
	}
	m.h.start, m.h.end = at+shift, end+shift
}
