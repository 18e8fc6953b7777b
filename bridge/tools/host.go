package tools

import (
	"context"
	"time"
)

// ToolSet says which groups of tools are offered, and so which of the agent's own are switched off.
type ToolSet struct {
	Files       bool // view, edit, create, grep, glob
	Shell       bool // bash, read_bash, stop_bash, list_bash
	Diagnostics bool // diagnostics, selection

	// Language are the tools that ask the editor's language servers; a [Linguist] says of each connection whether they can.
	Language LanguageSet

	Ask bool // ask; an [Asker] says of each connection whether the user can be asked

	// AskedHere marks none of the tools as destructive, since the Host asks before it changes anything: for agents that go by
	// the mark and would ask too, or have a model decide.
	AskedHere bool
}

// None says that there is none of the tools.
func (s ToolSet) None() bool {
	return !s.Files && !s.Shell && !s.Diagnostics && s.Language == 0 && !s.Ask
}

// Caller says on whose behalf a tool is called.
type Caller struct {
	AgentSession string // the agent's own session id, from COPILOT_AGENT_SESSION_ID of the connecting process
	PID          int    // of the connecting process, for logs
	Connection   uint64 // counts connections, so that a late Disconnected is not taken for the one that replaced it
}

// Host does what the tools promise. Each method returns the text for the model; an error becomes a tool error whose
// text the model reads, so it says what to do. A method is called on a goroutine of its own, several at once for calls
// of one message, and its ctx ends when the agent cancels the call or the connection is gone. Results may have any
// length: what is over [MaxResult] is cut in the middle by the Server. Texts need not be valid UTF-8.
type Host interface {
	View(ctx context.Context, c Caller, a ViewArgs) (string, error)
	Edit(ctx context.Context, c Caller, a EditArgs) (string, error)
	Create(ctx context.Context, c Caller, a CreateArgs) (string, error)
	Grep(ctx context.Context, c Caller, a GrepArgs) (string, error)
	Glob(ctx context.Context, c Caller, a GlobArgs) (string, error)

	// Bash runs a command. progress may be called at any time until Bash returns, from any goroutine; it never blocks.
	Bash(ctx context.Context, c Caller, a BashArgs, progress func(text string)) (string, error)
	ReadBash(ctx context.Context, c Caller, a ReadBashArgs) (string, error)
	StopBash(ctx context.Context, c Caller, a StopBashArgs) (string, error)
	ListBash(ctx context.Context, c Caller) (string, error)

	Diagnostics(ctx context.Context, c Caller, a DiagnosticsArgs) (string, error)
	Selection(ctx context.Context, c Caller) (string, error)

	// Language is one of the tools that ask the editor's language servers.
	Language(ctx context.Context, c Caller, a LanguageArgs) (string, error)

	// Ask puts a question to the user and waits for the answer.
	Ask(ctx context.Context, c Caller, a AskArgs) (string, error)

	// Connected is called when a connection has shown its token and named its session, before any tool call of it.
	Connected(c Caller)
	// Disconnected is called once for each Connected, after the last tool call of the connection has returned.
	// err is never nil and says what ended it; [ErrClosed] when it was the Server's own Close.
	// Agents do not start the server again: the session has no editor tools until it is closed and loaded.
	Disconnected(c Caller, err error)
}

// ViewArgs names a file or folder to show. Path is as the model gave it, not cleaned, perhaps not absolute.
type ViewArgs struct {
	Path  string
	Range *Range // nil: all of it
	Force bool   // the model asked for a large file in spite of its size; the result is still cut at MaxResult
}

// Range is 1-based and inclusive as the model gave it; End -1 is the last line. Nothing else about it is checked.
type Range struct{ Start, End int }

// EditArgs replaces exactly one occurrence of Old by New. Both may be empty.
type EditArgs struct {
	Path string
	Old  string
	New  string
}

// CreateArgs makes a file that must not exist yet.
type CreateArgs struct {
	Path string
	Text string
}

// GrepArgs is a search as ripgrep does it.
type GrepArgs struct {
	Pattern     string
	Paths       []string // empty: the session's folder
	Mode        GrepMode // never empty
	Glob        string   // "" for all files
	Type        string   // ripgrep's type name, "" for all
	IgnoreCase  bool
	Before      int // lines of context; -C is already folded in
	After       int
	LineNumbers bool
	HeadLimit   int // of result lines; 0: no limit
	Multiline   bool
}

// GrepMode is the form of a search result.
type GrepMode string

// The forms of a search result.
const (
	GrepContent GrepMode = "content"
	GrepFiles   GrepMode = "files_with_matches" // when the model named none
	GrepCount   GrepMode = "count"
)

// GlobArgs is a search for files by their names, as `rg --files -g` does it.
type GlobArgs struct {
	Pattern string   // "" for all files
	Paths   []string // empty: the session's folder
}

// BashArgs is a command line for the shell.
type BashArgs struct {
	Command     string
	Description string
	ShellID     string        // "" for a new one
	Mode        BashMode      // never empty
	Detach      bool          // the command is to outlive the session
	InitialWait time.Duration // 0 when the model gave none
}

// BashMode says whether the call waits for the command.
type BashMode string

// The modes of a command.
const (
	BashSync  BashMode = "sync" // when the model named none
	BashAsync BashMode = "async"
)

// ReadBashArgs waits Delay, or until the command ends, and reads what it has written.
type ReadBashArgs struct {
	ShellID string
	Delay   time.Duration
}

// StopBashArgs ends a command and all its processes.
type StopBashArgs struct{ ShellID string }

// DiagnosticsArgs asks what the editor's language servers say. Path "" is every file they speak of.
type DiagnosticsArgs struct{ Path string }

// Asider is a [Host] that may have something to tell the model beside the result of a call, such as what the user
// added meanwhile. Aside is called once for each result, just before it is sent; "" is nothing.
type Asider interface{ Aside(Caller) string }
