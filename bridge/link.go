package bridge

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/agent"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// link is one agent process and the sessions it knows. It is the agent's [agent.Handler]: it sorts what arrives into
// the sessions' queues and never waits.
type link struct {
	b     *Bridge
	agent Agent
	// copilot: it is Copilot CLI, with what is particular to it.
	copilot bool
	quirks  copilot.Quirks
	listed  []copilot.Quirk
	set     string              // key of the servers that it was started with
	servers []copilot.MCPServer // those
	tools   *tools.Server       // nil when the agent has no editor tools
	hands   *agent.Quirks       // of an agent that is handed the editor tools with each session, nil otherwise
	// perTurn: the agent's program runs for a turn and ends, and its editor tools come and go with it.
	perTurn bool
	gone    chan struct{} // closed after the agent's last event
	passing Message       // see showNow; only the agent's reading goroutine touches it

	mu      sync.Mutex
	notice  string // what the first session tells of how the agent is run
	exit    *agent.ExitError
	known   map[acp.SessionID]*Session
	early   map[acp.SessionID][]any // for sessions whose session/new has not been answered yet
	waits   []acp.SessionID         // those, the oldest first
	bound   chan struct{}           // closed and replaced when known grows
	opening int                     // sessions that are being opened here
	inner   int                     // session/new of the bridge's own under way, whose id the editor does not know
}

func newLink(b *Bridge) *link {
	return &link{b: b, gone: make(chan struct{}), known: map[acp.SessionID]*Session{}, early: map[acp.SessionID][]any{}, bound: make(chan struct{})}
}

// put queues an input for the session the agent speaks of. Copilot sends available_commands_update before it answers
// session/new, so inputs for an unknown session wait for its name; see also [link.tooEarly].
func (l *link) put(id acp.SessionID, in any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.known[id]; s != nil {
		s.in.put(in)
		return
	}
	l.wait(id, in)
}

// wait keeps an input until its session is known. The caller holds mu.
func (l *link) wait(id acp.SessionID, in any) {
	if len(l.early[id]) >= maxEarly {
		l.b.cfg.Log.Debug().Str("agentSession", string(id)).Msg("updates of a session nobody opened are dropped")
		return
	}
	if l.early[id] == nil {
		if len(l.waits) >= maxEarlySessions {
			delete(l.early, l.waits[0])
			l.waits = slices.Delete(l.waits, 0, 1)
		}
		l.waits = append(l.waits, id)
	}
	l.early[id] = append(l.early[id], in)
}

// bind ties the agent's id to a session and delivers what came before.
func (l *link) bind(id acp.SessionID, s *Session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known[id] = s
	for _, in := range l.early[id] {
		s.takeEarly(in)
	}
	delete(l.early, id)
	l.waits = slices.DeleteFunc(l.waits, func(w acp.SessionID) bool { return w == id })
	close(l.bound)
	l.bound = make(chan struct{})
}

// isTaken says whether the agent's id belongs to another session than s.
func (l *link) isTaken(id acp.SessionID, s *Session) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known[id] != nil && l.known[id] != s
}

func (l *link) unbind(id acp.SessionID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for also, s := range l.known {
		if s == l.known[id] && also != id {
			delete(l.known, also) // another name of it
		}
	}
	delete(l.known, id)
}

// session is the session behind the agent's id; it waits a while for one that is being opened.
func (l *link) session(ctx context.Context, id acp.SessionID) (*Session, error) {
	ctx, cancel := context.WithTimeout(ctx, bindWait)
	defer cancel()
	for {
		l.mu.Lock()
		s, bound := l.known[id], l.bound
		l.mu.Unlock()
		if s != nil {
			return s, nil
		}
		select {
		case <-bound:
		case <-l.gone:
			return nil, errSession(string(id))
		case <-ctx.Done():
			return nil, errSession(string(id))
		}
	}
}

// Exited implements [agent.Handler]. Prompts that were open end by themselves with an error.
func (l *link) Exited(err *agent.ExitError) {
	l.mu.Lock()
	l.exit = err
	known := map[*Session]bool{} // once each, under however many names
	for s := range maps.Values(l.known) {
		known[s] = true
	}
	l.mu.Unlock()
	l.b.crashed(l, err) // before anybody can see that it is gone and start another one
	close(l.gone)
	for s := range known {
		l.b.afterwards(s.agentGone)
	}
	l.b.agentGone(l, err)
}

// close ends the agent and its editor tools.
func (l *link) close(ctx context.Context) error {
	err := l.agent.Close(ctx)
	if l.tools != nil {
		l.tools.Close()
	}
	return err
}
