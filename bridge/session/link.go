package session

import (
	"context"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/transcript"
)

// Link is the bridge's side of one agent process, its [agents.Attendant]: it sorts what arrives into the sessions' queues and
// never waits, and has the methods of the editor tools.
type Link struct {
	*agents.Process
	all     *Set
	passing Message // see showNow; only the agent's reading goroutine touches it
}

// Attend makes the bridge's side of an agent process.
func (all *Set) Attend(a *agents.Process) *Link { return &Link{Process: a, all: all} }

// receiver is a session as an agent process knows it, its [agents.Receiver].
type receiver struct{ *Session }

// of is the session behind a receiver, nil for none.
func of(r agents.Receiver) *Session {
	known, _ := r.(receiver)
	return known.Session
}

// session is the session behind the agent's id; it waits a while for one that is being opened.
func (l *Link) session(ctx context.Context, id acp.SessionID) (*Session, error) {
	r, err := l.Await(ctx, id)
	return of(r), err
}

// Happened implements [agents.Receiver].
func (r receiver) Happened(h *Happening) { r.in.put(eventIn{h}) }

// AgentGone implements [agents.Receiver].
func (r receiver) AgentGone() {
	r.agentGone()
	r.in.put(goneIn{})
}

// Transcript implements [agents.Receiver].
func (r receiver) Transcript() transcript.Conversation {
	return transcriptSource{r.conversation, r.Session}
}

// transcriptSource is a session's conversation with what the session knows of it. Its methods are called by the transcript
// agent, on goroutines that work for a turn or load the session.
type transcriptSource struct {
	*conversation.Conversation
	session *Session
}

// Turn is the id of the turn that runs, "" between turns.
func (c transcriptSource) Turn() string { return c.session.routing.Turn() }

// Said visits what was said, once the editor has been shown what is on its way: that is when it is in the conversation.
func (c transcriptSource) Said(ctx context.Context, visit func(conversation.Said)) error {
	if c.Turn() != "" { // a session that is just loaded has nothing on its way
		c.session.all.cfg.Out.Flush(ctx)
	}
	return c.Conversation.Said(visit)
}

// Foreign says that the session was begun elsewhere and nothing of it has been shown yet.
func (c transcriptSource) Foreign() bool {
	return c.session.isNew() || c.session.all.cfg.SpeaksACP && !c.session.stored
}
