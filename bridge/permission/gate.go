package permission

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/workspace"
	"github.com/copilot-bridge/copilot-bridge/fsproxy"
	"github.com/copilot-bridge/copilot-bridge/fsproxy/disk"
)

// Config is what all sessions of a bridge have in common. Nothing of it is changed after [New].
type Config struct {
	Rules   *policy.Engine
	Audit   *policy.Audit
	Disk    *disk.Disk
	FS      *fsproxy.FS
	Overlay *fsproxy.Overlay
	Home    string                     // the user's, for ~ in rules
	Env     []string                   // of commands; its PATH says what they run
	Folders func() []string            // the workspace folders of the editor
	NewID   func(prefix string) string // unique over all runs of the bridge
	Now     func() time.Time
}

// Authority decides for all sessions of a bridge; [Authority.Session] is where each asks.
type Authority struct {
	Config
	listings   *workspace.Listings // of the folders that searches for names have been through
	nameBudget time.Duration       // nameBudget, less in tests

	mu      sync.Mutex
	waiting map[*waiting]struct{} // what the users of all sessions are being asked about
	coming  map[string]int        // new files that are allowed and perhaps not there yet, see [Authority.comes]
}

// New makes an authority. It starts nothing.
func New(cfg Config) *Authority {
	return &Authority{Config: cfg, nameBudget: nameBudget, listings: &workspace.Listings{Want: wanted}, waiting: map[*waiting]struct{}{}, coming: map[string]int{}}
}

// Session is what a [Gate] is told of its session. The functions are called on the goroutine of the request.
type Session struct {
	ID   string
	Cwd  string   // absolute
	Dirs []string // additional directories, absolute
	Log  zerolog.Logger

	// Level is how much is asked at first; [Gate.SetLevel] changes it.
	Level policy.Level

	// AllowEdits raises the level from ask to edits, as the user has answered. It returns once that holds.
	AllowEdits func()

	// AskUser puts a question to the user and waits for the answer, until ctx ends. It may add what it knows of the tool call.
	// changed says that the agent has said something else of the call meanwhile, where the editor shows that.
	AskUser func(ctx context.Context, q *Question) (ans Answer, changed bool, err error)

	// Unasked is told of what is allowed without a question; nil for nobody. It does not wait.
	Unasked func(ctx context.Context, tool policy.Tool)

	// Notice tells the user something in passing. It does not wait.
	Notice func(text string)

	// Untrusted says whether the agent's version was found to change or run things without asking.
	Untrusted func() bool

	// StartedFrom are the texts that the agent may have started a write of a file from.
	StartedFrom func(ctx context.Context, t Target) []string
}

// Gate is what every request of a session's agent passes. Its methods may be called on any goroutine and wait for the user;
// none of them holds a lock meanwhile.
type Gate struct {
	Session
	all *Authority

	mu     sync.Mutex
	turn   string               // the running turn, "" between turns
	grants map[grantKey]granted // those of the turn that have not been used
	over   []func()             // called at its end
	plan   bool                 // nothing is changed and nothing is run
	hold   PlanHold             // as the session had it last; it is read only
	offer  Offer                // what the user chooses from
	user   freedom              // what the user has switched on
	agent  freedom              // and what the agent says it has
	told   bool                 // the user knows that the agent has more than they gave it

	level    policy.Level // how much is asked
	narrowed int          // how often that has become more
	offered  bool         // a question has offered to ask about no edit any more

	open    int  // requests that may be asked about now
	crowded bool // in this turn there were too many of them, and the user knows
}

// Session makes the gate of a session.
func (a *Authority) Session(s Session) *Gate {
	return &Gate{Session: s, all: a, level: cmp.Or(s.Level, policy.LevelAsk)}
}

// BeginTurn begins a turn; what is allowed in it is good in it only.
func (g *Gate) BeginTurn(id string) {
	g.mu.Lock()
	over := g.over
	g.turn, g.grants, g.crowded, g.over = id, map[grantKey]granted{}, false, nil
	g.mu.Unlock()
	for _, f := range over {
		f()
	}
}

// EndTurn takes back what was allowed in the turn and not used.
func (g *Gate) EndTurn() { g.BeginTurn("") }

// Planning says whether the session is in plan mode: nothing is changed and nothing is run.
func (g *Gate) Planning() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.plan
}

// SetLevel sets how much is asked in the session, from the next decision on. [Gate.Recheck] decides about what waits. At a narrower
// level nothing that was allowed before and has not been done yet is allowed any more.
func (g *Gate) SetLevel(l policy.Level) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if l != g.level && l.Narrower(g.level) == l {
		clear(g.grants)
		g.narrowed++
	}
	g.level = l
}
