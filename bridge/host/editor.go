package host

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/fsproxy/text"
)

// ErrUnsupported is what an [Editor] answers to a wish that it cannot grant.
var ErrUnsupported = errors.New("the editor cannot do this")

// Editor tells what the editor knows of its files beside their text. Its methods may be called on any goroutine.
type Editor interface {
	// Diagnostics returns what the editor's other language servers say about the files, all known files if paths is
	// empty. Paths are absolute.
	Diagnostics(ctx context.Context, paths []string) ([]FileDiagnostics, error)

	// Diagnosed is Diagnostics of all files, once the language servers of the file at path have spoken about the text that it has
	// now, or ctx ends, which is no error.
	Diagnosed(ctx context.Context, path string) (Diagnosed, error)

	// Selection returns where the user is; nil if that is not known.
	Selection(ctx context.Context) (*Selection, error)

	// Languages returns who can be asked about a file or a folder, or, with path "", about any. The error is [ErrUnsupported] where
	// nobody can.
	Languages(ctx context.Context, path string) (LanguageServers, error)
}

// NoEditor is an [Editor] that tells nothing.
type NoEditor struct{}

// Diagnostics implements [Editor].
func (NoEditor) Diagnostics(context.Context, []string) ([]FileDiagnostics, error) {
	return nil, ErrUnsupported
}

// Selection implements [Editor].
func (NoEditor) Selection(context.Context) (*Selection, error) { return nil, ErrUnsupported }

// Diagnosed implements [Editor].
func (NoEditor) Diagnosed(context.Context, string) (Diagnosed, error) {
	return Diagnosed{}, ErrUnsupported
}

// Languages implements [Editor].
func (NoEditor) Languages(context.Context, string) (LanguageServers, error) {
	return nil, ErrUnsupported
}

// LanguageServers are the editor's own language servers. Their methods may be called on any goroutine.
type LanguageServers interface {
	// Request is one request of LSP 3.18, a method and its params, to the servers of the file that the params name, or to all where
	// they name none. It returns the standard result. The error is [ErrNoServer], [ErrUnsupported] where they do not know the
	// method, ctx's, or what they say.
	Request(ctx context.Context, method string, params any) (jsontext.Value, error)

	// URI is the name of a file in params, and Path the file that a result names.
	URI(path string) string
	Path(uri string) (string, error)

	// Encoding is what positions count, in params and in edits.
	Encoding() text.Encoding
}

// ErrNoServer is what [LanguageServers] answer about a file that no server of the editor's looks after.
var ErrNoServer = errors.New("no language server looks after the file")

// Diagnosed is what the language servers say of all files.
type Diagnosed struct {
	Files   []FileDiagnostics
	Servers ServerState
}

// ServerState says how current diagnostics are.
type ServerState string

const (
	ServersUnknown ServerState = ""       // the editor does not say
	ServersNone    ServerState = "none"   // no server looks after the file
	ServersSpoken  ServerState = "spoken" // about the text that it has now
	ServersSilent  ServerState = "silent" // not yet
)

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
