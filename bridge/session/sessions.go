package session

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/review"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
	"github.com/copilot-bridge/copilot-bridge/bridge/trust"
	"github.com/copilot-bridge/copilot-bridge/bridge/wire"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// Config is what the sessions of a bridge have in common: its editor, and the rooms that serve them. All but Remote, Terminals and
// Store is required.
type Config struct {
	Log       zerolog.Logger
	Editor    Editor
	Remote    fsproxy.Remote // see bridge.Config
	Terminals Terminals      // see bridge.Config
	Folders   []string       // the editor's workspace folders, absolute
	Env       []string       // the agent's whole environment
	Home      string         // the user's, "" if there is none
	Level     policy.Level   // that sessions begin with, "" is policy.LevelAsk
	// SpeaksACP says that the editor is a client of the agent's protocol, and the bridge stands between the two. It knows
	// sessions by the agent's ids, keeps the history that it is shown, ends the calls of a turn that it has cancelled, and
	// answers by itself what the bridge does not look into.
	SpeaksACP bool

	Out       *wire.Outbox // shows with [Set.Deliver]
	Agents    *agents.Pool
	Trust     *trust.Judge
	Authority *permission.Authority
	Host      *host.Host
	Runner    *terminalproxy.Runner
	Store     *store.Store // nil: sessions are kept in memory only
	Book      *review.Book
	Disk      *disk.Disk
	Overlay   *fsproxy.Overlay
	FS        *fsproxy.FS

	Life  context.Context // ends when nothing is shown any more
	Go    func(func())    // runs what the owner of Life waits for
	NewID func(prefix string) string
	Now   func() time.Time
}

// Set is the sessions of one bridge. Its methods may be called on any goroutine but those of the sessions.
type Set struct {
	cfg    Config
	direct DirectEditor // the editor, if it is one

	loading sync.Mutex // held while a stored session is found and put in the list

	mu            sync.Mutex
	folders       []string // workspace folders of the editor's
	sessions      map[string]*Session
	byEditor      map[string]*Session                   // by the ids of an editor that speaks ACP
	conversations map[string]*conversation.Conversation // of sessions whose events are still to be shown
	logs          *copilot.EventLogs                    // nil before the first is followed
	closing       bool
	level         policy.Level // of sessions that begin
}

// New makes a bridge's sessions, of which there is none yet.
func New(cfg Config) *Set {
	all := &Set{cfg: cfg, level: cmp.Or(cfg.Level, policy.LevelAsk), folders: slices.Clone(cfg.Folders), sessions: map[string]*Session{}, byEditor: map[string]*Session{}, conversations: map[string]*conversation.Conversation{}}
	all.direct, _ = cfg.Editor.(DirectEditor)
	return all
}

// Session finds a session by its id.
func (all *Set) Session(id string) (*Session, error) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if s := all.sessions[id]; s != nil {
		return s, nil
	}
	return nil, errSession(id)
}

func (all *Set) list() []*Session {
	all.mu.Lock()
	defer all.mu.Unlock()
	return slices.Collect(maps.Values(all.sessions))
}

// Idle says that no session has a prompt.
func (all *Set) Idle() bool { return !slices.ContainsFunc(all.list(), (*Session).prompted) }

// Services are what the sessions' agents may ask for.
func (all *Set) Services() (services []*host.Service) {
	for _, s := range all.list() {
		services = append(services, s.host)
	}
	return services
}

// Dirs are the folders in which the editor and the sessions work.
func (all *Set) Dirs() []string {
	dirs := all.Folders()
	for _, s := range all.list() {
		dirs = append(dirs, s.Cwd)
	}
	return dirs
}

// Flush waits until the editor has been shown everything that has happened so far.
func (all *Set) Flush(ctx context.Context) { all.cfg.Out.Flush(ctx) }

// End ends all sessions, and has no other begin. What is running is cut off: the next run of the bridge offers it again. over
// waits for the ends.
func (all *Set) End() (over func(context.Context)) {
	all.mu.Lock()
	all.closing = true
	all.mu.Unlock()
	sessions := all.list()
	for _, s := range sessions {
		s.unfollow()
		s.in.put(closeIn{cutOff: true})
	}
	return func(ctx context.Context) {
		for _, s := range sessions {
			select {
			case <-s.over:
			case <-ctx.Done():
			}
		}
	}
}

// LetGo lets go of all sessions in the store, when nothing is shown any more.
func (all *Set) LetGo() {
	all.mu.Lock()
	conversations := all.conversations
	all.conversations = nil
	all.mu.Unlock()
	for _, c := range conversations {
		c.Close()
	}
	for _, s := range all.list() {
		all.dropEmpty(s)
	}
	if all.logs != nil {
		all.logs.Close()
	}
}

// AddFolder adds a workspace folder of the editor's.
func (all *Set) AddFolder(dir string) error {
	if err := all.cfg.Disk.AddRoot(dir); err != nil {
		return err
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	all.folders = append(all.folders, dir)
	return nil
}

// Folders are the workspace folders of the editor.
func (all *Set) Folders() []string {
	all.mu.Lock()
	defer all.mu.Unlock()
	return slices.Clone(all.folders)
}
