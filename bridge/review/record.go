package review

import (
	"io/fs"

	"github.com/copilot-bridge/copilot-bridge/bridge/review/journal"
	"github.com/copilot-bridge/copilot-bridge/bridge/review/lines"
)

// record is one entry of the journal, and the only way the state changes: the
// book makes a record, appends it, and applies it; opening the journal applies
// the same records again. Exactly one field is set.
type record struct {
	Header *journal.Header `json:"header,omitempty"`
	Begin  *beginOp        `json:"begin,omitempty"`
	Land   *landOp         `json:"land,omitempty"`
	Close  *closeOp        `json:"close,omitempty"`
	User   *userOp         `json:"user,omitempty"`
	Ends   *endsOp         `json:"ends,omitempty"`
	Keep   *keepOp         `json:"keep,omitempty"`
	Undo   *undoOp         `json:"undo,omitempty"`
	Redo   *redoOp         `json:"redo,omitempty"`
	Recall *recallOp       `json:"recall,omitempty"`
	Saved  *savedOp        `json:"saved,omitempty"`
	Away   *awayOp         `json:"away,omitempty"`
	Rename *renameOp       `json:"rename,omitempty"`
	Told   *toldOp         `json:"told,omitempty"`
	File   *fileRec        `json:"file,omitempty"` // snapshot
	Rest   *restRec        `json:"rest,omitempty"` // snapshot
}

type changeRec struct {
	Session string        `json:"session"`
	Turn    string        `json:"turn"`
	Path    string        `json:"path"`
	Kind    Kind          `json:"kind"`
	From    string        `json:"from,omitempty"`
	Before  lines.Blob    `json:"before,omitempty"`
	Tracked bool          `json:"tracked,omitempty"` // Before is the text the state has already
	After   []lines.Block `json:"after,omitempty"`   // from Before
	Exists  bool          `json:"exists,omitempty"`
	Saved   bool          `json:"saved,omitempty"`
	Disk    lines.Blob    `json:"disk,omitempty"`
	Mode    fs.FileMode   `json:"mode,omitempty"`
	BOM     bool          `json:"bom,omitempty"`
	Remark  bool          `json:"remark,omitempty"`
	Remode  bool          `json:"remode,omitempty"`
	Dirs    []string      `json:"dirs,omitempty"`
	NoImage string        `json:"noImage,omitempty"`
}

func (c *Change) record() changeRec {
	return changeRec{
		Session: c.Session, Turn: c.Turn, Path: c.Path, Kind: c.Kind, From: c.From, Before: lines.Blob(c.Before),
		Exists: c.BeforeExists, Saved: c.Saved, Disk: lines.Blob(c.Disk), Mode: c.Mode, BOM: c.BOM, Remark: c.Remark, Remode: c.Remode, Dirs: c.Dirs, NoImage: c.NoImage,
	}
}

func (r *changeRec) change(before string) Change {
	was := lines.New(before)
	c := Change{
		Session: r.Session, Turn: r.Turn, Path: r.Path, Kind: r.Kind, From: r.From, Before: before,
		After: was.Weave(0, was.Lines(), r.After), BeforeExists: r.Exists, Saved: r.Saved, Disk: string(r.Disk), Mode: r.Mode, BOM: r.BOM, Remark: r.Remark, Remode: r.Remode, Dirs: r.Dirs, NoImage: r.NoImage,
	}
	if c.Kind == KindDelete {
		c.After = ""
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
	Own    bool          `json:"own,omitempty"`    // by the blocks it began with
	Blocks []lines.Block `json:"blocks,omitempty"` // else by these
	Rewind bool          `json:"rewind,omitempty"` // from where the file was at Begin
	Guess  bool          `json:"guess,omitempty"`  // as far as can be told from a text that holds more
	Back   bool          `json:"back,omitempty"`   // it only looked so: the text goes back, the change is in flight again
}

// closeOp: a change is no longer in flight.
type closeOp struct {
	ID   uint64 `json:"id"`
	Back bool   `json:"back,omitempty"` // and the guess that it had landed was wrong: back to where the file was at Begin
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

// undoOp: hunks were undone, or parts of them, or what happened to the file.
type undoOp struct {
	Path  string     `json:"path"`
	Items []undoItem `json:"items,omitempty"`
	File  bool       `json:"file,omitempty"`
}

type undoItem struct {
	ID   string     `json:"id"`
	Kept bool       `json:"kept,omitempty"` // a hunk that had been kept
	Back bool       `json:"back,omitempty"` // a hunk that the agent had reverted itself
	Turn string     `json:"turn,omitempty"` // only the part of this turn: Text is what remains
	Text lines.Blob `json:"text,omitempty"`
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
	Disk   bool          `json:"disk,omitempty"` // it is the one on disk
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
	Missing bool   `json:"missing,omitempty"`
	Drop    bool   `json:"drop,omitempty"`
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
