package session

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/agents"
	"github.com/copilot-bridge/copilot-bridge/bridge/wire"
)

// What arrives from the agent. All of it takes its place in the outbox here, on the reading goroutine, and goes to the
// session that it belongs to, which learns from it and says what the editor is shown in the place.

// Message implements [agent.Handler].
func (l *Link) Message(m *acp.Message) {
	switch {
	case m.Request != nil:
		l.request(m)
	case m.Method == acp.MethodSessionUpdate:
		l.update(m)
	case l.all.cfg.SpeaksACP:
		l.notification(m.Keep())
	default: // ACP v1: unknown notifications are ignored
		l.all.cfg.Log.Debug().Str("method", m.Method).Msg("notification without a meaning here")
	}
}

// Drained implements [agent.Handler].
func (l *Link) Drained() {
	if l.all.direct != nil {
		l.all.direct.Drained()
	}
}

// update takes in a session/update. It waits for nobody but an editor that is shown the agent's bytes and does not read
// them: those cannot be merged.
func (l *Link) update(m *acp.Message) {
	all := l.all
	if all.direct == nil {
		if m.Update() == nil {
			all.cfg.Log.Warn().Msg("skipped a session update that cannot be read")
			return
		}
	} else if p, ok := m.Peek(); !ok || p.Kind == nil {
		m.Respell() // a member is there twice: the editor gets it as it is read here
	}
	if l.hides(m) {
		return
	}
	s := l.sessionOf(m)
	if all.direct != nil {
		if s != nil && l.showNow(s, m) {
			return
		}
		if all.cfg.Out.Full() {
			l.Drained() // what has been put off must not wait for what is behind it
			all.cfg.Out.Admit(all.cfg.Life)
		}
	}
	m = m.Keep()
	if s == nil {
		l.tooEarly(m)
		return
	}
	s.arrived(m)
}

// showNow takes the short way: a chunk of text, from which nothing is learnt, to an editor that is shown it as it came.
func (l *Link) showNow(s *Session, m *acp.Message) bool {
	p, ok := m.Chunk()
	if !ok || !isChunk(p.Kind) {
		return false
	}
	ev := &l.passing
	*ev = Message{Message: m, Session: s.ID}
	if shown, asItCame := s.stamp(ev); !shown || !asItCame {
		return false
	}
	return l.all.cfg.Out.ShowNow(func() {
		ev.Record()
		l.all.direct.ShowNow(l.all.cfg.Life, ev)
	})
}

// arrived gives a message its place, and to the session unless nothing is learnt from it.
func (s *Session) arrived(m *acp.Message) {
	all := s.all
	s.routing.Outward(m)
	if all.direct != nil && !teaches(m) {
		ev := &Message{Message: m, Session: s.ID}
		if shown, _ := s.stamp(ev); shown {
			all.cfg.Out.Push(ev)
		}
		return
	}
	p := all.cfg.Out.Reserve()
	if !s.in.put(messageIn{msg: m, at: p}) {
		p.Fill(s.afterEnd(m)...)
	}
}

// afterEnd is what is shown of a message to a session that has ended.
func (s *Session) afterEnd(m *acp.Message) []Event {
	if !s.all.cfg.SpeaksACP {
		return nil
	}
	return []Event{&Message{Message: m, Session: s.ID}}
}

// stamp notes the turn and the conversation of a message that the session does not get to see; see [wire.Routing.Stamp].
func (s *Session) stamp(ev *Message) (shown, asItCame bool) {
	if shown, asItCame = s.routing.Stamp(ev); shown {
		s.claim(ev)
	}
	return shown, asItCame
}

// claim has a message added to the conversation when it is shown, unless it is history that is there.
func (s *Session) claim(ev *Message) {
	if !ev.Replay || !s.stored {
		s.conversation.Claim(ev)
	}
}

// hides says whether what the agent said is for nobody: that tools are off is the bridge's own doing, which stands in for
// them. It is the one place for that, whatever face the editor has.
func (l *Link) hides(m *acp.Message) bool {
	if !l.Copilot || l.Tools == nil {
		return false
	}
	if p, ok := m.Chunk(); ok {
		text, _ := acp.StringOf(p.Text)
		return copilot.MayBeNotice(p.Text) && copilot.AboutOurTools(text)
	}
	chunk, ok := m.Update().(*acp.AgentMessageChunk)
	if !ok {
		return false
	}
	text, ok := chunk.Content.(*acp.TextContent)
	return ok && copilot.AboutOurTools(text.Text)
}

// teaches says whether an update says something that the bridge must know: about tool calls, modes, options. That is what
// few do. Of one about a tool call that cannot be read it is known that it came.
func teaches(m *acp.Message) bool {
	p, _ := m.Peek()
	if isChunk(p.Kind) {
		return false // the most of all, without a copy
	}
	word, _ := acp.StringOf(p.Kind) // as the editor reads it, whatever is escaped in it
	switch word {
	case "tool_call", "tool_call_update", "current_mode_update", "config_option_update", "available_commands_update", "session_info_update":
		return m.Update() != nil || strings.HasPrefix(word, "tool_call")
	}
	return false
}

// isChunk says whether a sessionUpdate is of text that nothing is learnt from.
func isChunk(kind jsontext.Value) bool {
	switch string(kind) {
	case `"agent_message_chunk"`, `"agent_thought_chunk"`, `"user_message_chunk"`:
		return true
	}
	return false
}

// sessionOf is the session that a message belongs to, nil for one that is not known.
func (l *Link) sessionOf(m *acp.Message) *Session {
	if l.all.direct == nil {
		return of(l.Session(m.SessionID()))
	}
	p, _ := m.Peek()
	return of(l.SessionByRaw(p.SessionID))
}

// tooEarly takes in an update of an unknown session. An editor that speaks ACP may be opening it just now, and gets its id
// with the answer, as it would from the agent (Copilot sends available_commands_update before it): it is shown the update
// at once, and what is learnt from it waits. Otherwise, and where the bridge itself opens a session in the place of a lost
// one, the update waits for the session.
func (l *Link) tooEarly(m *acp.Message) {
	id := m.SessionID()
	in := messageIn{msg: m, shown: l.all.cfg.SpeaksACP && (id == "" || !l.OpensHidden())}
	if in.shown {
		shown := *m // the session may look into it at the same time
		l.all.cfg.Out.Push(&Message{Message: &shown})
		if id == "" || !teaches(m) {
			return
		}
	}
	l.Deliver(id, func(r agents.Receiver) { of(r).takeEarly(in) })
}

// takeEarly is arrived for what came before the session was known.
func (s *Session) takeEarly(in messageIn) {
	if !in.shown {
		s.arrived(in.msg)
		return
	}
	s.in.put(in)
}

// notification passes one on whose meaning is between the editor and the agent.
func (l *Link) notification(m *acp.Message) {
	ev := &Message{Message: m}
	if s := of(l.SessionByRaw(acp.Member(m.Params(), "sessionId"))); s != nil {
		ev.Session = s.ID
		s.routing.Outward(m)
	}
	l.all.cfg.Out.Push(ev)
}

// request sorts what the agent asks: what the bridge checks goes to the session, what an editor answers that speaks ACP to
// that, as it came.
func (l *Link) request(m *acp.Message) {
	id := acp.Member(m.Params(), "sessionId")
	s := of(l.SessionByRaw(id))
	var p *wire.Reservation
	if l.all.cfg.SpeaksACP { // it is asked in this order; for others each question is a message of its own
		p = l.all.cfg.Out.Reserve()
		if !checked(m.Method) {
			ev := &Message{Message: m}
			if s != nil {
				ev.Session = s.ID
				s.routing.Outward(m)
			}
			p.Fill(ev)
			return
		}
	}
	if s != nil && s.in.put(messageIn{msg: m, at: p}) {
		return
	}
	p.Fill()
	if text, ok := acp.StringOf(id); ok {
		m.Request.Reply(nil, &acp.Error{Code: acp.CodeResourceNotFound, Message: m.Method + ": there is no session " + text})
		return
	}
	m.Request.Reply(nil, &acp.Error{Code: acp.CodeInvalidParams, Message: m.Method + ": params.sessionId is missing"})
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
