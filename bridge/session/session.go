package session

import (
	"cmp"
	"context"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/calls"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/host"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/policy"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
	"github.com/copilot-bridge/copilot-bridge/bridge/trust"
	"github.com/copilot-bridge/copilot-bridge/bridge/wire"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// Session is a conversation with the agent, seen from the editor. Its id is the bridge's own and outlives the agent's. Nothing
// in it changes once it is made but what other rooms answer for, and the copy of its state that others read: the state itself is
// on the session's goroutine ([Session.run]).
type Session struct {
	ID   string
	Cwd  string   // absolute
	Dirs []string // additional directories, absolute

	all          *Set
	gate         *permission.Gate
	host         *host.Service
	log          zerolog.Logger
	in           *inbox
	conversation *conversation.Conversation
	life         context.Context // ends with the session
	end          context.CancelFunc
	over         chan struct{}  // closed when the session's goroutine has ended
	work         sync.WaitGroup // grown by work itself, by run, and by hold

	approvals trust.Approvals       // of the turn, to tell what changed without
	foreign   terminalproxy.Foreign // the output of terminals that the agent runs itself
	routing   wire.Routing          // what the goroutine that reads from the agent must know of the session
	stored    bool                  // what the agent replays is in the conversation already
	servers   []acp.MCPServer
	params    jsontext.Value // an editor's of session/new, session/load or session/resume, without a session id: how it is opened again
	ticket    string         // what the editor tools call the session that the agent is handed

	snap snapshot
}

// beginning is what a session begins with.
type beginning struct {
	NewSessionRequest
	meta      store.Meta     // of an earlier run; zero for a new one
	elsewhere bool           // see known
	unseen    bool           // its history is not in the store
	params    jsontext.Value // see Session
	opener    chan struct{}  // has the right to open it from the start, see Session.acquire; nil for nobody
}

func newSession(all *Set, cwd string, r beginning) *Session {
	id := r.meta.ID
	s := &Session{
		ID: id, ticket: agents.NewTicket(), Cwd: cwd, Dirs: r.Dirs, all: all, in: newInbox(), servers: r.MCPServers, params: r.params,
		conversation: conversation.New(conversation.Config{ID: id, Store: all.cfg.Store, DiskOnly: all.cfg.SpeaksACP && all.cfg.Store != nil}),
		over:         make(chan struct{}), log: all.cfg.Log.With().Str("session", id).Logger(),
		stored: all.cfg.SpeaksACP && !r.unseen, // such an editor gets its history from the agent
	}
	s.life, s.end = context.WithCancel(all.cfg.Life)
	level := all.level.Narrower(policy.Level(cmp.Or(r.meta.Level, string(all.level)))) // of before, if that allows less
	s.gate = s.newGate(level)
	s.host = s.newHost()
	st := &state{calls: calls.New(), speaksACP: all.cfg.SpeaksACP, life: s.life, now: all.cfg.Now, newID: func() string { return all.cfg.NewID("t") }}
	st.Info = Info{ID: id, Remote: acp.SessionID(r.meta.Agent), Cwd: cwd, Title: r.meta.Title, Turns: r.meta.Turns, Updated: r.meta.Updated, Live: true, Level: level}
	st.elsewhere, st.titled = r.elsewhere, r.meta.Titled
	if st.Updated.IsZero() {
		st.Updated = all.cfg.Now()
	}
	if r.opener != nil {
		close(r.opener)
		st.openers = append(st.openers, r.opener)
	}
	s.snap.publish(st.known)
	all.cfg.Go(func() { s.run(st) })
	return s
}

// run is the session's goroutine: the only one that touches its state.
func (s *Session) run(st *state) {
	defer close(s.over)
	for {
		for _, in := range s.in.take() {
			s.take(st, in)
		}
		s.saveSettings(st)
		if st.phase == closed {
			for _, in := range s.in.shut() {
				s.take(st, in)
			}
			last := st.known
			last.over = true
			s.snap.publish(last)
			s.work.Wait()
			return
		}
		select {
		case <-s.in.wake:
		case <-s.all.cfg.Life.Done():
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
	effects := st.step(in)
	s.snap.publish(st.known)
	for _, e := range effects {
		if e, ok := e.(emit); ok && placed {
			s.emitted(e.ev)
			shown = append(shown, e.ev)
			continue
		}
		s.do(st, e)
	}
	if placed {
		m.at.Fill(shown...)
	}
}

// emitted is called for every event of the session, before it is queued for the editor.
func (s *Session) emitted(ev Event) {
	switch ev := ev.(type) {
	case *TurnEnded:
		if ev.lost != nil {
			s.conversation.Lose(*ev.lost)
		}
		s.routing.EndTurn(ev.Turn)
	case *Message:
		s.claim(ev)
		if s.all.cfg.SpeaksACP && ev.SessionID() == "" { // one of our own
			ev.SetSessionID(acp.SessionID(s.alias()))
		}
	}
}

// do carries out one effect. It never waits: what takes time runs on a goroutine of its own, owned by the session.
func (s *Session) do(st *state, e effect) {
	switch e := e.(type) {
	case nil: // muted
	case emit:
		s.emitted(e.ev)
		s.all.cfg.Out.Push(e.ev)
	case startTurn:
		s.routing.BeginTurn(e.turn.id)
		s.gate.BeginTurn(e.turn.id)
		if e.turn.own != nil {
			s.work.Go(s.follow) // what it says of the turn already
			return
		}
		s.work.Go(func() { s.runTurn(e.turn) })
	case cancelTurn:
		select {
		case <-e.turn.sent:
		default: // what prepares it ends before anybody hears that the cancel was taken
			e.turn.end()
		}
		s.work.Go(func() { s.stopTurn(e.turn, e.abort) })
	case lookAgain:
		s.work.Go(func() { s.look(e) })
	case ownEnds:
		s.work.Go(func() { s.endOwn(e.turn) })
	case killAgent:
		s.work.Go(func() { e.agent.Drop("the agent did not stop when it was asked to") })
	case settle:
		e.turn.end()
		s.gate.EndTurn()
		s.work.Go(func() { s.settle(e.turn, st.agent) })
	case serve:
		s.serve(st.phase == closed, e)
	case reply:
		e.send()
	case settingsKnown:
		s.saveSettings(st)
	case levelKnown:
		s.gate.SetLevel(e.level)
		s.conversation.SetMeta(func(m *store.Meta) { m.Level = string(e.level) })
	case modesKnown:
		if s.gate.Reported(e.plan, e.modes, e.options) {
			s.all.cfg.Out.Push(&SessionChanged{Session: s.ID, Event: &Happening{Type: "allow_all", Message: "the agent says that it asks about nothing any more (allow_all), and nobody switched that on here by that name; the editor tools go on asking"}})
		}
	case foreignOutput:
		s.showForeign(e.ev)
	case endSession:
		s.end()
		s.work.Go(func() { s.all.cfg.Runner.CloseSession(s.ID) }) // a caller that waits for a command has its answer then
	}
}

// ask puts an input that [state.step] answers, and waits for the answer; false if the session has ended. It must not be called
// on the session's goroutine, which never waits for anybody: so the answer comes at once.
func ask[T any](s *Session, in func(question[T]) any) (answer T, ok bool) {
	to := make(chan T, 1)
	if s.in.put(in(question[T]{to})) {
		answer, ok = <-to
	}
	return answer, ok
}

// tell puts an input and waits until the session has taken it in, with all that was put before. Nobody need look whether the
// session has ended: then nothing happens.
func (s *Session) tell(in any) {
	s.in.put(in)
	s.settled()
}

// settled waits until the session has taken in what was put so far.
func (s *Session) settled() { ask(s, func(q question[struct{}]) any { return syncIn{q} }) }
