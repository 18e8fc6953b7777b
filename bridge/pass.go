package bridge

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// The short way of a chunk of text from the agent to an editor that gets it as it came: while nothing waits in the outbox,
// the agent's reading goroutine records and shows it itself. That saves a copy, a queue and the waking of two goroutines,
// which is most of what a chunk costs.

// QuickUpdate implements [agent.QuickHandler]. It waits while the editor does not read, as [link.RawUpdate] does.
func (l *link) QuickUpdate(params jsontext.Value, more bool) bool {
	b := l.b
	if b.quick == nil {
		return false
	}
	u, ok := acp.PeekUpdate(params)
	if !ok || !u.Plain || !isChunk(u.Kind) || l.hidesRaw(&u) {
		return false
	}
	s := l.knownRaw(u.SessionID)
	if s == nil || s.wire.remote.Load() != nil || s.wire.muted.Load() {
		return false
	}
	m := &l.passing
	*m = Message{Session: s.ID, Method: acp.MethodSessionUpdate, Params: params, More: more, passed: conversation.Passed{Chunk: u}}
	m.in(s)
	return b.out.pass(func() {
		m.record()
		b.quick.Pass(b.life, m)
	})
}

// Settle implements [agent.QuickHandler].
func (l *link) Settle() { l.b.quick.Settle() }

// pass runs show in the place of the next item if nothing waits and nothing is being shown; what is pushed meanwhile
// comes after it. It reports whether it did.
func (o *outbox) pass(show func()) bool {
	if !o.begin() {
		return false
	}
	defer o.passed()
	show()
	return true
}

func (o *outbox) begin() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.over || o.passing || o.shown != o.pushed {
		return false
	}
	o.pushed++
	o.passing = true
	return true
}

func (o *outbox) passed() {
	o.done()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.passing = false
	if len(o.items) > 0 {
		o.rouse()
	}
}
