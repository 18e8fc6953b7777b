package bridge

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// A front whose editor speaks the agent's own protocol sets Config.Verbatim. It is then shown what the agent sends as it
// came, and sends what the editor says as it came; what the bridge adds is written into the bytes, all else in them stays.
//
// Such an editor knows a session by the agent's id: the id that the agent gave it first, which goes on to work when a
// crash has cost the agent the session and a new one stands in for it. [Session.ID] stays the bridge's own.

// Message is a message of the agent as it is on the wire. It takes the place of *Update.
type Message struct {
	Session string // the bridge's id; "" if the message belongs to no session that is known
	Method  string
	Params  jsontext.Value // with the session id that the editor knows
	Request *acp.Request   // nil for a notification; the front has the editor answer it
	More    bool           // another message follows at once

	passed conversation.Passed
	of     *conversation.Conversation // which it is added to when it is shown; nil for none
}

func (*Message) IsEvent() {}

// record adds the message to its conversation. It is called where the message is shown.
func (m *Message) record() {
	if m.of != nil {
		m.of.Record(&m.passed, m.Params)
	}
}

// Deferred is something that the front does when all before it has been shown.
type Deferred struct{ Do func() }

func (*Deferred) IsEvent() {}

// rawIn is an update of the agent as it came. update is nil for one about a tool call that cannot be read, and for those of
// the time before the session was known from which nothing is learnt.
type rawIn struct {
	params jsontext.Value // as the editor knows the session
	update acp.SessionUpdate
	place  *slot // nil: it has been shown already
}

// showAt is an effect of step: the place of a message gets it, or nothing.
type showAt struct {
	place *slot
	msg   *Message // nil: it is not shown
}

// raw passes an update on and learns from it.
func (s *state) raw(in rawIn) []effect {
	var out []effect
	params := in.params
	if in.update == nil {
		s.hear(nil)
	} else {
		all := s.update(in.update)
		out = all[1:] // all but the update itself
		params = s.plan.Params(s.withOurs(params, in.update), in.update)
	}
	if in.place == nil {
		return out
	}
	at := showAt{place: in.place}
	if !s.mute {
		at.msg = &Message{Session: s.id, Method: acp.MethodSessionUpdate, Params: params, passed: conversation.Passed{Update: in.update, Turn: s.turnID(), Replay: s.replay}}
	}
	return append([]effect{at}, out...)
}

// withOurs puts what our own tool changed into the update of its call, as it is on the wire.
func (s *state) withOurs(params jsontext.Value, u acp.SessionUpdate) jsontext.Value {
	var c *call
	switch u := u.(type) {
	case *acp.ToolCall:
		c = s.calls.byID[u.ToolCallID]
	case *acp.ToolCallUpdate:
		c = s.calls.byID[u.ToolCallID]
	}
	if c == nil || c.use == nil || len(c.use.diffs) == 0 && c.use.term == "" {
		return params
	}
	update := acp.Member(params, "update")
	content := acp.Member(update, "content")
	if !c.done && (len(content) == 0 || string(content) == "null" || string(content) == "[]") {
		return params
	}
	ours, err := acp.Marshal(&acp.ToolCallUpdate{Content: c.use.content(), Locations: diffLocations(c.use.diffs)})
	if err != nil {
		return params
	}
	list := acp.Member(ours, "content")
	update = acp.SetMember(update, "content", acp.PutFirst(content, list[1:len(list)-1]))
	if l := acp.Member(update, "locations"); c.done && len(c.use.diffs) > 0 && (len(l) == 0 || string(l) == "null") {
		update = acp.SetMember(update, "locations", acp.Member(ours, "locations"))
	}
	return acp.SetMember(params, "update", update)
}

// content is what the editor is shown of a call: the terminal of its command, what it changed.
func (u *toolUse) content() []acp.ToolCallContent {
	out := diffContent(u.diffs)
	if u.term != "" {
		out = append(out, &acp.Terminal{TerminalID: acp.TerminalID(u.term)})
	}
	return out
}

// diffLocations are where the first change of each file is.
func diffLocations(diffs []FileDiff) (out []acp.ToolCallLocation) {
	for _, d := range diffs {
		line := uint32(1)
		for i := 0; i < len(d.NewText) && i < len(d.OldText) && d.NewText[i] == d.OldText[i]; i++ {
			if d.NewText[i] == '\n' {
				line++
			}
		}
		out = append(out, acp.ToolCallLocation{Path: d.Path, Line: &line})
	}
	return out
}

// inMessage is a typed update of ours as the editor gets it.
func (s *Session) inMessage(u *Update) *Message {
	params, err := acp.Marshal(&acp.SessionNotification{SessionID: acp.SessionID(s.alias()), Update: u.Update})
	if err != nil {
		return nil
	}
	return &Message{Session: s.ID, Method: acp.MethodSessionUpdate, Params: params, passed: conversation.Passed{Update: u.Update, Turn: u.Turn, Replay: u.Replay}, of: s.conversation}
}
