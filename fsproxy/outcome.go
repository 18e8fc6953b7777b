package fsproxy

import (
	"errors"
	"fmt"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/diff"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// Outcome is what became of a change.
type Outcome uint8

const (
	// Applied: the text is what the writer wanted.
	Applied Outcome = iota
	// Merged: it is there, and so is what somebody else wrote meanwhile.
	Merged
	// Refused: the editor did not take it. Nothing was changed.
	Refused
	// Unknown: whether it is in the buffer cannot be told.
	Unknown
	// Conflict: it does not go together with what somebody else wrote, which was
	// left as it is. Nothing was changed.
	Conflict
)

// String is the outcome as one lower-case word.
func (o Outcome) String() string {
	return [...]string{"applied", "merged", "refused", "unknown", "conflict"}[o]
}

// What an EditError is, for errors.Is.
var (
	// ErrConflict: the same lines were changed by two sides; both are kept.
	ErrConflict = errors.New("the same lines were changed by somebody else")
	// ErrRefused: the editor did not make the change.
	ErrRefused = errors.New("the editor did not make the change")
	// ErrUnknown: the editor did not show whether it made the change.
	ErrUnknown = errors.New("the editor did not show whether it made the change")
)

// EditError is a change that is not known to be made: its outcome is Refused,
// Unknown or Conflict.
type EditError struct {
	Path      string
	Outcome   Outcome
	Reason    string          // what happened, a clause; may be empty
	Unshown   bool            // with Unknown: the editor says that it made the change, and has not told its text
	Conflicts []diff.Conflict // with Conflict: the lines in question, both sides
}

func (e *EditError) Error() string {
	because := ""
	if e.Reason != "" {
		because = " (" + e.Reason + ")"
	}
	switch e.Outcome {
	case Refused:
		return fmt.Sprintf("edit %s: the editor did not make the change%s; nothing was changed. Read the file again before the next try", e.Path, because)
	case Conflict:
		return fmt.Sprintf("edit %s: the user or another program changed the same lines%s; nothing was changed, both versions are kept. Read the file again and make the change in what is there now%s",
			e.Path, because, e.where())
	}
	if e.Unshown {
		return fmt.Sprintf("edit %s: the editor says that it made the change and has not told its new text yet; some editors tell it with the next key that is pressed there. "+
			"Do not make the change again. Until then the file reads as it was before", e.Path)
	}
	return fmt.Sprintf("edit %s: whether the change was made is not known%s. Read the file again to see what is in it", e.Path, because)
}

func (e *EditError) where() string {
	if len(e.Conflicts) == 0 {
		return ""
	}
	c := e.Conflicts[0]
	return fmt.Sprintf("; first at line %d:\nthere now:\n%swanted:\n%s", c.Start+1, shown(c.Theirs), shown(c.Ours))
}

// shown is s, cut after a line if it is long.
func shown(s string) string {
	head := escape.HeadLines(s, maxShown)
	if len(head) == len(s) {
		return s
	}
	return head + "…\n"
}

// Unwrap makes errors.Is work with ErrRefused, ErrUnknown and ErrConflict.
func (e *EditError) Unwrap() error {
	switch e.Outcome {
	case Refused:
		return ErrRefused
	case Conflict:
		return ErrConflict
	default:
		return ErrUnknown
	}
}
