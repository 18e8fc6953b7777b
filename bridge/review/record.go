package review

import (
	"github.com/copilot-bridge/copilot-bridge/bridge/review/journal"
	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// record is one entry of the journal, and the only way the state changes: the
// book makes a record, appends it, and applies it; opening the journal applies
// the same records again. Exactly one field is set.
type record struct {
	Header *journal.Header `json:"header,omitzero"`
	Begin  *beginOp        `json:"begin,omitzero"`
	Land   *landOp         `json:"land,omitzero"`
	Close  *closeOp        `json:"close,omitzero"`
	User   *userOp         `json:"user,omitzero"`
	Ends   *endsOp         `json:"ends,omitzero"`
	Keep   *keepOp         `json:"keep,omitzero"`
	Part   *partOp         `json:"part,omitzero"`
	Undo   *undoOp         `json:"undo,omitzero"`
	Redo   *redoOp         `json:"redo,omitzero"`
	Recall *recallOp       `json:"recall,omitzero"`
	Saved  *savedOp        `json:"saved,omitzero"`
	Away   *awayOp         `json:"away,omitzero"`
	Rename *renameOp       `json:"rename,omitzero"`
	Told   *toldOp         `json:"told,omitzero"`

	Comment   *commentOp   `json:"comment,omitzero"`
	Uncomment *uncommentOp `json:"uncomment,omitzero"`

	File *file    `json:"file,omitzero"` // snapshot
	Rest *restRec `json:"rest,omitzero"` // snapshot
}

// changeRec is a change without its texts but for what leads to them.
type changeRec struct {
	Change
	Tracked bool          `json:"tracked,omitzero"` // Before is the text the state has already, and is left out
	Blocks  []lines.Block `json:"after,omitzero"`   // from Before to After
}

// change gives the change with both texts.
func (r *changeRec) change(before string) Change {
	was, c := lines.New(before), r.Change
	c.Before, c.After = before, ""
	if c.Kind != KindDelete {
		c.After = was.Weave(0, was.Lines(), r.Blocks)
	}
	return c
}

// beginOp: a change is about to be applied. The same ID again replaces it.
type beginOp struct {
	ID     uint64    `json:"id"`
	Change changeRec `json:"change"`
}

// landOp: a change shows in the text.
type landOp struct {
	ID     uint64        `json:"id"`
	Own    bool          `json:"own,omitzero"`    // by the blocks it began with
	Blocks []lines.Block `json:"blocks,omitzero"` // else by these
	Rewind bool          `json:"rewind,omitzero"` // from where the file was at Begin
	Guess  bool          `json:"guess,omitzero"`  // as far as can be told from a text that holds more
	Back   bool          `json:"back,omitzero"`   // it only looked so: the text goes back, the change is in flight again
}

// closeOp: a change is no longer in flight.
type closeOp struct {
	ID   uint64 `json:"id"`
	Back bool   `json:"back,omitzero"` // and the guess that it had landed was wrong: back to where the file was at Begin
}

// userOp: somebody else than the agent changed a text.
type userOp struct {
	Path   string        `json:"path"`
	Blocks []lines.Block `json:"blocks"`
	full   string        // the whole new text, not recorded
}

// endsOp: the line ends of a text are others now, all of them.
type endsOp struct {
	Path string `json:"path"`
	CRLF bool   `json:"crlf"`
}

// keepOp: the user accepted hunks.
type keepOp struct {
	Path string   `json:"path"`
	IDs  []string `json:"ids"`
}

// partOp: hunks are parted where lines of the text begin and end.
type partOp struct {
	Path string `json:"path"`
	Lines
}

// undoOp: hunks were undone, or parts of them, or what happened to the file.
type undoOp struct {
	Path  string     `json:"path"`
	Items []undoItem `json:"items,omitzero"`
	File  bool       `json:"file,omitzero"`
}

type undoItem struct {
	ID   string `json:"id"`
	Kept bool   `json:"kept,omitzero"` // a hunk that had been kept
	Back bool   `json:"back,omitzero"` // a hunk that the agent had reverted itself
	Turn string `json:"turn,omitzero"` // only the part of this turn: Text is what remains
	Text string `json:"text,omitzero"`
}

// mark is the kind of mark that is undone, where it is not a pending hunk.
func (it *undoItem) mark() markKind {
	if it.Back {
		return reverted
	}
	return kept
}

// redoOp: undone hunks are back.
type redoOp struct {
	Path string   `json:"path"`
	IDs  []string `json:"ids"`
}

// recallOp: a text of before is there again, with what was pending in it.
type recallOp struct {
	Path   string        `json:"path"`
	Blocks []lines.Block `json:"blocks"`
	Disk   bool          `json:"disk,omitzero"` // it is the one on disk
	full   string        // the whole new text, not recorded
}

// savedOp: the text is on disk.
type savedOp struct {
	Path string `json:"path"`
}

// awayOp: the file is gone without the agent having deleted it (Missing), back
// (not Missing), or of no interest any more (Drop).
type awayOp struct {
	Path    string `json:"path"`
	Missing bool   `json:"missing,omitzero"`
	Drop    bool   `json:"drop,omitzero"`
}

// renameOp: somebody else than the agent renamed a file or a folder.
type renameOp struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// toldOp: the agent was told what was undone.
type toldOp struct {
	Session string `json:"session"`
}
