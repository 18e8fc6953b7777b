package bridge

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// onWire is what a session needs whose editor speaks ACP.
type onWire struct {
	// params are those of session/new, session/load or session/resume, without a session id: how the session is opened
	// again in another agent process. Guarded by Session.opening.
	params jsontext.Value

	editor atomic.Pointer[string]         // the id that the editor knows
	remote atomic.Pointer[string]         // the agent's, nil where it is the same
	turn   atomic.Pointer[string]         // of the turn that runs, nil if none does
	cancel atomic.Pointer[jsontext.Value] // the editor's session/cancel as it came
	loads  atomic.Pointer[link]           // the agent process that is just loading the session, nil if none is
	muted  atomic.Bool                    // what the agent sends has been shown before
	replay atomic.Bool                    // what the agent sends is history
	fresh  atomic.Bool                    // and is not in the store yet
}

// alias is the session's id as the editor knows it.
func (s *Session) alias() string {
	if id := s.wire.editor.Load(); id != nil {
		return *id
	}
	return s.ID
}

// outward is a message of the agent with the session id that the editor knows; id is the one in it.
func (w *onWire) outward(id, params jsontext.Value) jsontext.Value {
	if w.remote.Load() == nil {
		return params
	}
	return acp.SetMember(params, "sessionId", acp.Quote(*w.editor.Load()))
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

// showAt puts a message in its place.
func (s *Session) showAt(e showAt) {
	if e.msg == nil {
		e.place.fill()
		return
	}
	if !e.msg.passed.Replay || s.wire.fresh.Load() {
		e.msg.of = s.conversation
	}
	e.place.fill(e.msg)
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
