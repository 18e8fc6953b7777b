package agents

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// directory is the sessions that a process knows, by the agent's ids, and what came for those that it does not know yet.
type directory struct {
	log zerolog.Logger

	mu      sync.Mutex
	known   map[acp.SessionID]Receiver
	early   map[acp.SessionID][]func(Receiver)
	waits   []acp.SessionID // those of early, the oldest first
	bound   chan struct{}   // closed and replaced when known grows
	opening int             // sessions that are being opened
	hidden  int             // those of them whose ids the editor does not know
}

func newDirectory(log zerolog.Logger) directory {
	return directory{log: log, known: map[acp.SessionID]Receiver{}, early: map[acp.SessionID][]func(Receiver){}, bound: make(chan struct{})}
}

// Deliver has the session take something that the agent sent: now, or when it is bound. Copilot sends
// available_commands_update before it answers session/new. take is called with the ids locked: it must not block, nor ask
// the process for sessions.
func (a *Process) Deliver(id acp.SessionID, take func(Receiver)) {
	d := &a.sessions
	d.mu.Lock()
	defer d.mu.Unlock()
	if r := d.known[id]; r != nil {
		take(r)
		return
	}
	if len(d.early[id]) >= maxEarly {
		d.log.Debug().Str("agentSession", string(id)).Msg("updates of a session nobody opened are dropped")
		return
	}
	if d.early[id] == nil {
		if len(d.waits) >= maxEarlySessions {
			delete(d.early, d.waits[0])
			d.waits = slices.Delete(d.waits, 0, 1)
		}
		d.waits = append(d.waits, id)
	}
	d.early[id] = append(d.early[id], take)
}

// Bind ties the agent's id to a session, which takes what came before.
func (a *Process) Bind(id acp.SessionID, r Receiver) {
	d := &a.sessions
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known[id] = r
	for _, take := range d.early[id] {
		take(r)
	}
	delete(d.early, id)
	d.waits = slices.DeleteFunc(d.waits, func(w acp.SessionID) bool { return w == id })
	d.wake()
}

// wake has all look again who wait for a session. The caller holds mu.
func (d *directory) wake() {
	close(d.bound)
	d.bound = make(chan struct{})
}

// Alias ties another name of a session to it, which the agent uses in calls of the editor tools.
func (a *Process) Alias(id, also acp.SessionID) {
	d := &a.sessions
	d.mu.Lock()
	defer d.mu.Unlock()
	if r := d.known[id]; r != nil {
		d.known[also] = r
		d.wake()
	}
}

// Unbind forgets a session, under all its names.
func (a *Process) Unbind(id acp.SessionID) {
	d := &a.sessions
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.known[id]
	for also, other := range d.known {
		if other == r {
			delete(d.known, also)
		}
	}
}

// Session is the session behind the agent's id, nil if it is not known.
func (a *Process) Session(id acp.SessionID) Receiver {
	a.sessions.mu.Lock()
	defer a.sessions.mu.Unlock()
	return a.sessions.known[id]
}

// SessionByRaw is Session for an id as it is on the wire. It makes no copy of an id without escapes.
func (a *Process) SessionByRaw(id jsontext.Value) Receiver {
	if len(id) < 2 || id[0] != '"' {
		return nil
	}
	d := &a.sessions
	d.mu.Lock()
	defer d.mu.Unlock()
	if r := d.known[acp.SessionID(id[1:len(id)-1])]; r != nil && !strings.ContainsRune(string(id), '\\') {
		return r
	}
	text, _ := acp.StringOf(id)
	return d.known[acp.SessionID(text)]
}

// Await is Session, which waits a while for one that is being opened. Its errors say that there is none.
func (a *Process) Await(ctx context.Context, id acp.SessionID) (Receiver, error) {
	ctx, cancel := context.WithTimeout(ctx, bindWait)
	defer cancel()
	d := &a.sessions
	for {
		d.mu.Lock()
		r, bound := d.known[id], d.bound
		d.mu.Unlock()
		if r != nil {
			return r, nil
		}
		select {
		case <-bound:
		case <-a.gone:
			return nil, fmt.Errorf("the agent has ended, and session %q with it", id)
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for session %q: %w", id, ctx.Err())
		}
	}
}

// Opening keeps the process while a session is opened in it. hidden is for one in the place of a lost one: the editor knows
// it by another id.
func (a *Process) Opening(hidden bool) (over func()) {
	count := func(n int) {
		a.sessions.mu.Lock()
		defer a.sessions.mu.Unlock()
		a.sessions.opening += n
		if hidden {
			a.sessions.hidden += n
		}
	}
	count(+1)
	return func() { count(-1) }
}

// OpensHidden says that a hidden session is being opened.
func (a *Process) OpensHidden() bool {
	a.sessions.mu.Lock()
	defer a.sessions.mu.Unlock()
	return a.sessions.hidden > 0
}

// unused says whether the process knows no session and none is being opened.
func (a *Process) unused() bool {
	a.sessions.mu.Lock()
	defer a.sessions.mu.Unlock()
	return len(a.sessions.known) == 0 && a.sessions.opening == 0
}

// all are the sessions, once each, under however many names.
func (d *directory) all() (all []Receiver) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range d.known {
		if !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	return all
}
