package host

import (
	"context"
	"errors"
	"io/fs"

	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// Config is what all sessions of a bridge have in common. Nothing of it is changed after [New].
type Config struct {
	FS      *fsproxy.FS
	Overlay *fsproxy.Overlay
	Disk    *disk.Disk
	Editor  Editor
}

// Host serves the agents of all sessions of a bridge; [Host.Session] is where each asks.
type Host struct {
	Config
}

// New makes a host. It starts nothing.
func New(cfg Config) *Host { return &Host{Config: cfg} }

// Session is what a [Service] is told of its session.
type Session struct {
	ID   string
	Cwd  string // absolute
	Gate *permission.Gate
}

// Service is what the agent of one session may ask for. Its methods may be called on any goroutine, many at a time.
type Service struct {
	Session
	all *Host
}

// Session makes the service of a session.
func (h *Host) Session(s Session) *Service { return &Service{Session: s, all: h} }

// target is a path that an agent named, resolved.
type target = permission.Target

// canonical is a path with its links resolved, as far as it can be.
func (h *Host) canonical(path string) string {
	if r, err := h.Disk.Resolve(path); err == nil {
		return r.Real
	}
	return path
}

func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

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
