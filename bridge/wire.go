package bridge

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
)

// onWire is what of a session the agent's reading goroutine looks at, and what is needed of it where the editor speaks ACP.
// Such an editor knows a session by the agent's id: the one that the agent gave it first, which goes on to work when a crash
// has cost the agent the session and a new one stands in for it. [Session.ID] is the bridge's own.
type onWire struct {
	// params are the editor's of session/new, session/load or session/resume, without a session id: how the session is
	// opened again in another agent process. Guarded by Session.opening.
	params jsontext.Value

	editor atomic.Pointer[string]         // the id that the editor knows
	remote atomic.Pointer[string]         // the agent's, nil where it is the same
	turn   atomic.Pointer[string]         // of the turn that runs, nil if none does
	loads  atomic.Pointer[agents.Process] // the agent process that is just loading the session, nil if none is
	muted  atomic.Bool                    // what the agent sends has been shown before
	replay atomic.Bool                    // what the agent sends is history
	stored atomic.Bool                    // and that is in the store already
}

// alias is the session's id as the editor knows it.
func (s *Session) alias() string {
	if id := s.wire.editor.Load(); id != nil {
		return *id
	}
	return s.ID
}

// outward gives a message of the agent the session id that the editor knows.
func (s *Session) outward(m *acp.Message) {
	if s.wire.remote.Load() != nil {
		m.SetSessionID(acp.SessionID(*s.wire.editor.Load()))
	}
}

// outwardParams is outward for the params of a request, which stay as they are.
func (s *Session) outwardParams(params jsontext.Value) jsontext.Value {
	m := acp.NewMessage("", params)
	s.outward(m)
	return m.Params()
}

// inward is a message of the editor with the agent's session id.
func (w *onWire) inward(params jsontext.Value) jsontext.Value {
	if r := w.remote.Load(); r != nil {
		return acp.SetMember(params, "sessionId", acp.Quote(*r))
	}
	return params
}

// named notes the ids; the first one of the agent's is the editor's.
func (w *onWire) named(remote acp.SessionID) {
	id := string(remote)
	if w.editor.CompareAndSwap(nil, &id) || *w.editor.Load() == id {
		w.remote.Store(nil)
		return
	}
	w.remote.Store(&id)
}

// replaying has the session take what the agent sends for a replay: until the answer of the call that is made with the
// context, in the order of the wire, since what comes right after the answer is news; or until over, if there is no answer.
func (s *Session) replaying(ctx context.Context, mute bool) (call context.Context, over func()) {
	replay := func(on bool) {
		s.wire.replay.Store(on)
		s.wire.muted.Store(on && mute)
		s.in.put(replayIn{on: on, mute: on && mute})
	}
	replay(true)
	over = sync.OnceFunc(func() { replay(false) })
	return acp.WhenAnswered(ctx, over), over
}
