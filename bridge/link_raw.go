package bridge

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
)

// What arrives from the agent and is passed on as it came. All of it takes its place in the outbox here, on the reading
// goroutine, so that the editor gets it in the order of the wire, whichever session it belongs to.

// RawUpdate implements [agent.RawHandler].
func (l *link) RawUpdate(params jsontext.Value) bool {
	b := l.b
	if !b.cfg.Verbatim {
		return false
	}
	b.out.admit(b.life)
	u, ok := acp.PeekUpdate(params)
	if ok && l.hidesRaw(&u) {
		return true
	}
	s := l.knownRaw(u.SessionID)
	if s == nil {
		l.earlyUpdate(u.SessionID, u.Kind, params)
		return true
	}
	if !ok || u.Kind == nil { // it has a member twice, or a name in escapes: the editor gets it as it is read here
		var n acp.SessionNotification
		if acp.Unmarshal(params, &n) == nil {
			if plain, err := acp.Marshal(&n); err == nil {
				params = plain
				u, _ = acp.PeekUpdate(params)
			}
		}
	}
	params = s.wire.outward(u.SessionID, params)
	if update, teaches := learnFrom(u.Kind, params); teaches {
		p := b.out.reserve()
		if !s.in.put(rawIn{params, update, p}) {
			p.fill(&Message{Session: s.ID, Method: acp.MethodSessionUpdate, Params: params})
		}
		return true
	}
	if !s.wire.muted.Load() {
		m := s.passed(params)
		if ok && u.Plain {
			m.passed.Chunk = u
		}
		b.out.push(m)
	}
	return true
}

// hidesRaw is hides for an update as it came.
func (l *link) hidesRaw(u *acp.RawUpdate) bool {
	if !u.Plain || !copilot.MayBeNotice(u.Text) {
		return false
	}
	text, _ := acp.StringOf(u.Text)
	return l.hides(text)
}

// hides says whether what the agent said is for nobody: that tools are off is the bridge's own doing, which stands in for
// them. It is the one place for that, whatever face the editor has.
func (l *link) hides(said string) bool {
	return l.tools != nil && l.copilot && copilot.AboutOurTools(said)
}

// passed is an update that nothing is learnt from.
func (s *Session) passed(params jsontext.Value) *Message {
	m := &Message{Session: s.ID, Method: acp.MethodSessionUpdate, Params: params}
	m.in(s)
	return m
}

// in notes the turn and the conversation that an update belongs to.
func (m *Message) in(s *Session) {
	if t := s.wire.turn.Load(); t != nil {
		m.passed.Turn = *t
	}
	if !s.wire.replay.Load() || s.wire.fresh.Load() {
		m.of = s.conversation
	}
}

// learnFrom decodes an update that says something the bridge must know: about tool calls, modes, options. teaches is false for
// all others, which are most; of one about a tool call that cannot be read it is known that it came.
func learnFrom(kind, params jsontext.Value) (update acp.SessionUpdate, teaches bool) {
	if isChunk(kind) {
		return nil, false // the most of all, without a copy
	}
	word, _ := acp.StringOf(kind) // as the editor reads it, whatever is escaped in it
	switch word {
	case "tool_call", "tool_call_update", "current_mode_update", "config_option_update", "available_commands_update", "session_info_update":
		var n acp.SessionNotification
		if acp.Unmarshal(params, &n) == nil {
			return n.Update, true
		}
		return nil, strings.HasPrefix(word, "tool_call")
	}
	return nil, false
}

// isChunk says whether a sessionUpdate is of text that nothing is learnt from.
func isChunk(kind jsontext.Value) bool {
	switch string(kind) {
	case `"agent_message_chunk"`, `"agent_thought_chunk"`, `"user_message_chunk"`:
		return true
	}
	return false
}

func (l *link) knownRaw(id jsontext.Value) *Session {
	if len(id) < 2 || id[0] != '"' {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.known[acp.SessionID(id[1:len(id)-1])]; s != nil && bytes.IndexByte(id, '\\') < 0 {
		return s // without a copy
	}
	text, _ := acp.StringOf(id)
	return l.known[acp.SessionID(text)]
}

// earlyIn is an update of a session whose session/new has not been answered yet: what is learnt from it waits.
type earlyIn struct {
	params jsontext.Value
	update acp.SessionUpdate // nil: nothing is learnt from it
	shown  bool
}

// late is the input for the session, now that it is known.
func (e earlyIn) late(b *Bridge, s *Session) any {
	in := rawIn{params: e.params, update: e.update}
	if !e.shown {
		in.params = s.wire.outward(acp.Member(e.params, "sessionId"), e.params)
		in.place = b.out.reserve()
	}
	return in
}

// earlyUpdate passes an update of an unknown session on: the editor may be opening it just now, and gets its id with the
// answer, as it would from the agent (Copilot sends available_commands_update before it). Only where the bridge itself
// opens a session in the place of a lost one, the update waits for the id that the editor knows.
func (l *link) earlyUpdate(id, kind, params jsontext.Value) {
	text, ok := acp.StringOf(id)
	l.mu.Lock()
	defer l.mu.Unlock()
	e := earlyIn{params: params, shown: !ok || l.inner == 0}
	e.update, _ = learnFrom(kind, params)
	if e.shown {
		l.b.out.push(&Message{Method: acp.MethodSessionUpdate, Params: params})
	}
	if e.shown && e.update == nil || !ok {
		return
	}
	l.wait(acp.SessionID(text), e)
}

// rawNotification passes a notification on whose meaning is between the editor and the agent.
func (l *link) rawNotification(method string, params jsontext.Value) {
	m := &Message{Method: method, Params: params}
	if id := acp.Member(params, "sessionId"); id != nil {
		if s := l.knownRaw(id); s != nil {
			m.Session, m.Params = s.ID, s.wire.outward(id, params)
		}
	}
	l.b.out.push(m)
}

// rawRequest sorts what the agent asks: what the bridge checks goes to the session, the rest to the editor as it came.
func (l *link) rawRequest(req *acp.Request) {
	params := req.Params()
	id := acp.Member(params, "sessionId")
	s := l.knownRaw(id)
	p := l.b.out.reserve()
	if !checked(req.Method()) {
		m := &Message{Method: req.Method(), Params: params, Request: req}
		if s != nil {
			m.Session, m.Params = s.ID, s.wire.outward(id, params)
		}
		p.fill(m)
		return
	}
	if s == nil || !s.in.put(askedIn{req, p}) {
		p.fill()
		text, _ := acp.StringOf(id)
		req.Reply(nil, &acp.Error{Code: acp.CodeResourceNotFound, Message: req.Method() + ": there is no session " + text})
	}
}

// checked says whether a request of the agent passes the permission rules here.
func checked(method string) bool {
	switch method {
	case acp.MethodSessionRequestPermission, acp.MethodFSReadTextFile, acp.MethodFSWriteTextFile, acp.MethodTerminalCreate,
		acp.MethodTerminalOutput, acp.MethodTerminalWaitForExit, acp.MethodTerminalKill, acp.MethodTerminalRelease:
		return true
	}
	return false
}

// RawAgent is an [Agent] that takes messages as they are.
type RawAgent interface {
	CallRaw(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error)
	NotifyRaw(ctx context.Context, method string, params jsontext.Value) error
}

var errNotRaw = errors.New("this agent does not speak ACP itself")

// raw is the agent for messages as they are.
func (l *link) raw() (RawAgent, error) {
	if a, ok := l.agent.(RawAgent); ok {
		return a, nil
	}
	if l.perTurn {
		return spelled{l.agent}, nil
	}
	return nil, errNotRaw
}
