package bridge

import (
	"context"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/semaphore"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/trust"
)

// Session is a conversation with the agent, seen from the editor. Its id is the bridge's own and outlives the agent's.
type Session struct {
	ID   string
	Cwd  string   // absolute
	Dirs []string // additional directories, absolute

	b            *Bridge
	gate         *permission.Gate
	host         *host.Service
	log          zerolog.Logger
	in           *inbox
	conversation *conversation.Conversation
	over         chan struct{}  // closed when the session's goroutine has ended
	work         sync.WaitGroup // grown by work itself, by run, and by hold

	theirs    foreign             // terminals that the agent runs itself
	approvals trust.Approvals     // of the turn, to tell what changed without
	opening   *semaphore.Weighted // held, with weight 1, while the session is made known to an agent process
	servers   []acp.MCPServer
	wire      onWire
	ticket    string // what the editor tools call the session that the agent is handed

	mu      sync.Mutex
	remote  acp.SessionID // the agent's id, "" until the agent has answered
	life    context.Context
	end     context.CancelFunc
	turnCtx context.Context // of the running turn; life's between turns
	turnEnd context.CancelFunc
	agreed  string          // state of what the workspace brings along that the user allowed
	loaded  string          // its state when the agent opened the session
	agent   *agents.Process // the agent process that was told of remote last
	// toolsLost: the agent is without the editor tools until the session is closed and loaded.
	toolsLost bool
	waiting   int  // prompts taken and not yet over
	leaving   bool // hold finds the session closed
	// elsewhere: it was started there, and nothing of it has been shown yet; what the agent replays is its history.
	elsewhere bool
	restoring bool     // modes and options are not yet as they were
	steer     []string // what the user added to the running turn and the agent has not been told yet
	queue     []Waiting
	snap      Info
}

// Info is a session as it is listed and as session/new answers.
type Info struct {
	ID       string
	Remote   acp.SessionID
	Cwd      string
	Title    string
	Updated  time.Time
	Turns    int
	Live     bool
	Modes    *acp.SessionModeState
	Options  []acp.SessionConfigOption
	Commands []acp.AvailableCommand
}

func newSession(b *Bridge, id, cwd string, dirs []string) *Session {
	s := &Session{ID: id, ticket: agents.NewTicket(), Cwd: cwd, Dirs: dirs, b: b, in: newInbox(), conversation: conversation.New(conversation.Config{ID: id, Store: b.store, DiskOnly: b.speaksACP() && b.store != nil}), over: make(chan struct{}), opening: semaphore.NewWeighted(1),
		log: b.cfg.Log.With().Str("session", id).Logger()}
	s.wire.stored.Store(b.speaksACP()) // such an editor gets its history from the agent
	s.life, s.end = context.WithCancel(b.life)
	s.gate = s.newGate()
	s.host = s.newHost()
	s.turnCtx, s.turnEnd = s.life, func() {}
	s.snap = Info{ID: id, Cwd: cwd, Live: true, Updated: b.now()}
	b.work.Go(s.run)
	return s
}

// run is the session's goroutine: the only one that touches its state.
func (s *Session) run() {
	defer close(s.over)
	st := &state{id: s.ID, calls: newCallTable(), speaksACP: s.b.speaksACP()}
	for {
		for _, in := range s.in.take() {
			s.take(st, in)
		}
		s.publish(st)
		if st.phase == closed {
			for _, in := range s.in.shut() {
				s.take(st, in)
			}
			s.mu.Lock()
			s.leaving = true
			s.mu.Unlock()
			s.work.Wait()
			return
		}
		select {
		case <-s.in.wake:
		case <-s.b.life.Done():
			s.in.put(closeIn{cutOff: true})
		}
	}
}

// take has an input change the state, and does what follows from it. What the editor is shown because of a message of the
// agent's is shown in the place of the message.
func (s *Session) take(st *state, in any) {
	var shown []Event
	m, _ := in.(messageIn)
	placed := m.at != nil && m.msg.Request == nil // a request has its place until it is served
	for _, e := range st.step(in) {
		if e, ok := e.(emit); ok && placed {
			s.emitted(e.ev)
			shown = append(shown, e.ev)
			continue
		}
		s.do(st, e)
	}
	if placed {
		m.at.fill(shown...)
	}
}

// emitted is called for every event of the session, before it is queued for the editor.
func (s *Session) emitted(ev Event) {
	switch ev := ev.(type) {
	case *TurnEnded:
		s.mu.Lock()
		s.waiting--
		s.mu.Unlock()
		if ev.lost != nil {
			s.conversation.Lose(*ev.lost)
		}
		s.wire.turn.Store(nil)
	case *Message:
		s.claim(ev)
		if s.b.speaksACP() && ev.SessionID() == "" { // one of our own
			ev.SetSessionID(acp.SessionID(s.alias()))
		}
	}
}

// publish makes what others may ask about the session visible to them.
func (s *Session) publish(st *state) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gate.Reported(st.plan, st.modes, st.options) {
		s.b.out.push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "allow_all", Message: "the agent says that it asks about nothing any more (allow_all), and nobody switched that on here by that name; the editor tools go on asking"}})
	}
	s.snap.Modes, s.snap.Options, s.snap.Commands = st.modes, st.options, st.commands
	if st.title != "" {
		s.snap.Title = st.title
	}
	s.snap.Live = st.phase != closed
	s.queue = st.waiting()
	s.saveSettings(st)
}

// do carries out one effect. It never waits: what takes time runs on a goroutine of its own, owned by the session.
func (s *Session) do(st *state, e effect) {
	switch e := e.(type) {
	case nil: // muted
	case emit:
		s.emitted(e.ev)
		s.b.out.push(e.ev)
	case startTurn:
		s.wire.turn.Store(&e.turn.id)
		s.mu.Lock()
		s.turnCtx, s.turnEnd = context.WithCancel(s.life)
		s.snap.Turns++
		s.snap.Updated = s.b.now()
		ctx := withTurn(s.turnCtx, e.turn.id)
		s.turnCtx = ctx
		s.gate.BeginTurn(e.turn.id)
		s.mu.Unlock()
		s.work.Go(func() { s.runTurn(ctx, e.turn) })
	case cancelTurn:
		s.mu.Lock()
		end := s.turnEnd
		s.mu.Unlock()
		s.work.Go(func() { s.stopTurn(e.turn, end) })
	case killAgent:
		s.mu.Lock()
		a := s.agent
		s.mu.Unlock()
		s.work.Go(func() { a.Drop("the agent did not stop when it was asked to") })
	case settle:
		s.work.Go(func() { s.settle(e.turn) })
	case serve:
		s.serve(st.phase == closed, e)
	case reached:
		s.publish(st)
		close(e.done)
	case answerEdit:
		s.publish(st)
		e.done <- e.ok
	case foreignOutput:
		s.showForeign(e.ev)
	case endSession:
		s.end()
		s.work.Go(func() { s.b.runner.CloseSession(s.ID) }) // whoever waits for a command has its answer then
	}
}

// hold keeps the session's end waiting for work that others began; false if it has ended.
func (s *Session) hold() (release func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.leaving {
		return nil, false
	}
	s.work.Add(1)
	return s.work.Done, true
}

// turnKey is where a context carries the id of the turn that it belongs to.
type turnKey struct{}

func withTurn(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, turnKey{}, id)
}

func turnOf(ctx context.Context) string {
	id, _ := ctx.Value(turnKey{}).(string)
	return id
}

// turnContext is the context of the running turn, for work that the agent has us do in it.
func (s *Session) turnContext() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.turnCtx
}

// prompted says that a prompt has been taken and is not yet over.
func (s *Session) prompted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waiting > 0
}

// during is ctx, ended also by the end of the running turn's context. What the agent asks for through the bridge ends
// when the turn is cancelled, whatever the road.
func (s *Session) during(ctx context.Context) (context.Context, context.CancelFunc) {
	turn := s.turnContext()
	ctx, cancel := context.WithCancel(s.named(withTurn(ctx, turnOf(turn))))
	stop := context.AfterFunc(turn, cancel)
	return ctx, func() { stop(); cancel() }
}

// Snapshot is the session as it is now.
func (s *Session) Snapshot() Info {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.snap
	i.Remote = s.remote
	return i
}
