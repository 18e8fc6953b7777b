package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// Config is what all sessions of a bridge have in common. Nothing of it is changed after [New].
type Config struct {
	FS      *fsproxy.FS
	Overlay *fsproxy.Overlay
	Disk    *disk.Disk
	Book    *review.Book
	Editor  Editor

	Runner *terminalproxy.Runner
	Shells *terminalproxy.Shells
	Flush  FlushMode

	// Feedback has the result of an edit tell of the errors that are new since it.
	Feedback bool

	// EditorTerminals says that the editor gets an agent's terminal/create as it came and runs the command.
	EditorTerminals bool
	// AgentsEditor says that the agent speaks with its editor: what is not saved there is between the two.
	AgentsEditor bool

	// Sessions are the services of the sessions that there are. SettleReview has the review book look at the files that are unsettled.
	Sessions     func() []*Service
	SettleReview func()

	Own      []string        // folders where the bridge and the agent write for themselves
	CloneDir string          // where an index may keep copies of files, "" for memory only
	Life     context.Context // ends with the bridge
}

// Host serves the agents of all sessions of a bridge; [Host.Session] is where each asks.
type Host struct {
	Config

	mu      sync.Mutex
	made    map[string]int              // changes of files by agents, by resolved path
	indexes map[string]*workspace.Index // by session folder

	languageLimit time.Duration // languageLimit, less in tests
}

// New makes a host. It starts nothing.
func New(cfg Config) *Host {
	return &Host{Config: cfg, made: map[string]int{}, indexes: map[string]*workspace.Index{}, languageLimit: languageLimit}
}

// Session is what a [Service] is told of its session. The functions are called on the goroutine of the request.
type Session struct {
	ID   string
	Cwd  string // absolute
	Gate *permission.Gate
	Log  zerolog.Logger

	// Life ends with the session. What a command has changed is looked for in it: the request that started the command may be over.
	Life context.Context

	// Go runs a part of the session's work, which its end waits for.
	Go func(func())

	// Turn is the id of the turn that a request belongs to, by its context.
	Turn func(ctx context.Context) string

	// TurnNow is the id of the turn that runs, "" between turns. Prompted says that a prompt has been taken and is not yet over.
	TurnNow  func() string
	Prompted func() bool

	// Tell tells the user something in passing. It does not wait.
	Tell func(News)

	// Watched says whether the workspace was looked at before the turn.
	Watched func() bool

	// CommandAllowed notes that a command was allowed: what it changes cannot be told from what the agent changes by itself.
	CommandAllowed func()

	// Running is told the titles of the commands that run, when that has changed. It does not wait.
	Running func(titles []string)

	// Compared is told what has changed on disk and is neither what the editor saved nor what was written through here.
	Compared func(turn string, changes []workspace.Change)

	// Input shows the user a form, until ctx ends. [ErrUnsupported] where the editor has none to show. The message is safe to show.
	Input func(ctx context.Context, message string, form *acp.ElicitationSchema) (Reply, error)

	// ReadAsAsked has the editor answer the agent's fs/read_text_file that ctx belongs to; ok is false where it does not.
	// nil for editors that tell of their buffers.
	ReadAsAsked func(ctx context.Context) (result jsontext.Value, ok bool, err error)
}

// News is something that the user is told in passing. Clients know it by its kind.
type News struct {
	Kind    string
	Message string
	Data    map[string]any
}

// notice tells the user one line in passing.
func (s *Service) notice(format string, args ...any) {
	s.Tell(News{Kind: "notice", Message: fmt.Sprintf(format, args...)})
}

// Call is a call of a tool, as who announces it to the editor knows it.
type Call interface {
	// Changed notes what the call did to a file. It does not wait.
	Changed(d permission.FileDiff)

	// Began notes the terminal that the call has started its command in. It does not wait.
	Began(ctx context.Context, t *terminalproxy.Terminal)
}

// Service is what the agent of one session may ask for. Its methods may be called on any goroutine, many at a time.
type Service struct {
	Session
	all *Host

	sweep sync.Mutex  // held while changes of commands are looked for
	ran   atomic.Bool // a command was started in this turn

	feedback feedback

	mu       sync.Mutex
	started  started
	commands map[string]*command // that run or are still compared, by the ids of their terminals
	away     map[string]*away    // commands in terminals of the editor's, by their ids
}

// Session makes the service of a session.
func (h *Host) Session(s Session) *Service {
	return &Service{Session: s, all: h, commands: map[string]*command{}, away: map[string]*away{}}
}

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
