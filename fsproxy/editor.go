package fsproxy

import (
	"context"
	"errors"
)

// ErrCannotSave: the editor has no way to save a buffer for us.
var ErrCannotSave = errors.New("the editor cannot save for others")

// ErrLost: the file is open in the editor, which may hold unsaved text that is not known here.
var ErrLost = errors.New("it is open in the editor and the text there is not known; close and open it in the editor, then try again")

// Editor changes and saves the editor's buffers. What it answers to ApplyEdit is a
// claim; what counts is what it tells the Overlay afterwards. Both methods return
// soon after ctx ends.
type Editor interface {
	// ApplyEdit asks the editor to make the edits in an open buffer. There is never
	// more than one call under way for one FS. An error means that the editor
	// refused; one that is ErrUnknown, that the question may have reached it and
	// the answer did not come back.
	ApplyEdit(ctx context.Context, req ApplyRequest) (ApplyReply, error)
	// Save asks the editor to save open buffers. It says which it saved and why it
	// did not save the others. ErrCannotSave: it never does.
	Save(ctx context.Context, paths []string) (saved []string, failed map[string]string, err error)
}

// ApplyRequest is an edit of one open buffer (LSP workspace/applyEdit).
type ApplyRequest struct {
	Path    string
	Version int32     // of Before
	Before  *Snapshot // the text that the edits are for
	Edits   []TextEdit
	Label   string // for the undo menu
}

// TextEdit replaces the bytes [Start, End) of a text by New. Edits of one request
// are ascending and do not touch each other; none cuts a character or a "\r\n".
type TextEdit struct {
	Start, End int
	New        string
}

// ApplyReply is the editor's answer.
type ApplyReply struct {
	Applied bool
	Reason  string // why not, if the editor says so
}
