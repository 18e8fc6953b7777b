package session

import (
	"context"
	"sync"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
)

// Info is a session as it is listed and as session/new answers.
type Info struct {
	ID       string
	Remote   acp.SessionID // the agent's id, "" until the agent has answered
	Cwd      string
	Title    string
	Updated  time.Time
	Turns    int
	Live     bool
	Level    policy.Level          // how much is asked
	Modes    *acp.SessionModeState // with the mode that counts here, see permission.PlanHold
	Options  []acp.SessionConfigOption
	Commands []acp.AvailableCommand
}

// known is the part of a session's state that others may read, as a copy that is published after each step. What it points to
// is replaced and never changed.
type known struct {
	Info
	ctx     context.Context // of the running turn, with its id; nil between turns
	own     bool            // it is one that the agent began by itself
	prompts int             // taken and not yet over
	waiting []Waiting       // those of them that have not begun, the next one first

	agent     *agents.Process // the agent process that was told of Remote last
	loading   *agents.Process // the one that is just loading the session, nil if none is
	toolsLost bool            // the agent is without the editor tools until the session is closed and loaded
	loaded    string          // the state of what the workspace brings along when the agent opened the session
	agreed    string          // its state that the user allowed
	titled    bool            // by the user
	elsewhere bool            // it was started there, and nothing of it has been shown yet; what the agent replays is its history
	restoring bool            // modes and options are not yet as they were

	over bool // the session's goroutine waits for the work there is
}

// snapshot is the newest copy of what may be known of a session's state.
type snapshot struct {
	mu sync.Mutex
	known
}

func (s *snapshot) publish(k known) {
	s.mu.Lock()
	s.known = k
	s.mu.Unlock()
}

func (s *snapshot) read() known {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known
}

// hold keeps the session's end waiting for work that others began; false if it has ended.
func (s *Session) hold() (release func(), ok bool) {
	s.snap.mu.Lock()
	defer s.snap.mu.Unlock()
	if s.snap.over {
		return nil, false
	}
	s.work.Add(1)
	return s.work.Done, true
}

// Snapshot is the session as it is now.
func (s *Session) Snapshot() Info { return s.snap.read().Info }

func (s *Session) remoteID() acp.SessionID { return s.snap.read().Remote }

// isNew says whether the session comes from elsewhere and nothing of it has been shown.
func (s *Session) isNew() bool { return s.snap.read().elsewhere }

// prompted says that a prompt has been taken and is not yet over.
func (s *Session) prompted() bool { return s.snap.read().prompts > 0 }

// turnKey is where a context carries the id of the turn that it belongs to.
type turnKey struct{}

func withTurn(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, turnKey{}, id)
}

func turnOf(ctx context.Context) string {
	id, _ := ctx.Value(turnKey{}).(string)
	return id
}

// turnContext is the context of the running turn, for work that the agent has us do in it; the session's between turns.
func (s *Session) turnContext() context.Context {
	if ctx := s.snap.read().ctx; ctx != nil {
		return ctx
	}
	return s.life
}

// during is ctx, ended also by the end of the running turn's context. What the agent asks for through the bridge ends
// when the turn is cancelled, whatever the road.
func (s *Session) during(ctx context.Context) (context.Context, context.CancelFunc) {
	turn := s.turnContext()
	ctx, cancel := context.WithCancel(s.named(withTurn(ctx, turnOf(turn))))
	stop := context.AfterFunc(turn, cancel)
	return ctx, func() { stop(); cancel() }
}
