package host

import (
	"context"
	"errors"
)

// ErrUnsupported is what an [Editor] answers to a wish that it cannot grant.
var ErrUnsupported = errors.New("the editor cannot do this")

// Editor tells what the editor knows of its files beside their text. Its methods may be called on any goroutine.
type Editor interface {
	// Diagnostics returns what the editor's other language servers say about the files, all known files if paths is
	// empty. Paths are absolute.
	Diagnostics(ctx context.Context, paths []string) ([]FileDiagnostics, error)

	// Selection returns where the user is; nil if that is not known.
	Selection(ctx context.Context) (*Selection, error)
}

// NoEditor is an [Editor] that tells nothing.
type NoEditor struct{}

// Diagnostics implements [Editor].
func (NoEditor) Diagnostics(context.Context, []string) ([]FileDiagnostics, error) {
	return nil, ErrUnsupported
}

// Selection implements [Editor].
func (NoEditor) Selection(context.Context) (*Selection, error) { return nil, ErrUnsupported }

// FileDiagnostics are the diagnostics of one file.
type FileDiagnostics struct {
	Path  string
	Items []Diagnostic
}

// Diagnostic is one message about a place in a file. Lines and columns are 1-based; columns count runes.
type Diagnostic struct {
	Line, Column       int
	EndLine, EndColumn int
	Severity           string // "error", "warning", "information", "hint"
	Source             string
	Code               string
	Message            string
}

// Selection is where the user is in the editor. Lines are 1-based.
type Selection struct {
	Path               string
	StartLine, EndLine int
	Text               string // the selected text, "" if nothing is selected
}
