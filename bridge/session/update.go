package session

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/calls"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
)

// message passes an update on and learns from it.
func (s *state) message(in messageIn) []effect {
	u := in.msg.Update()
	var first []effect
	if c, ok := u.(*acp.ToolCall); ok && s.phase == idle && !s.replay && !s.calls.Stale(c.ToolCallID) {
		first = s.beginOwn()
	}
	ev := &Message{Message: in.msg, Session: s.ID, Turn: s.turnID(), Replay: s.replay}
	var more []effect
	if u != nil {
		more = s.learn(ev, u)
	} else {
		s.calls.Unread() // of a tool call, which may be any
	}
	if in.shown || s.mute || s.hushed(u) {
		return append(first, more...)
	}
	return append(append(first, emit{ev}), more...)
}

// learn takes in an update, and changes what the editor is shown of it where that is not as the agent says.
func (s *state) learn(ev *Message, u acp.SessionUpdate) (more []effect) {
	if _, said := u.(*acp.AgentMessageChunk); !said && !s.replay {
		more = s.notices(s.chunk.Flush()) // a notice ends where something else begins
	}
	switch u := u.(type) {
	case *acp.AgentMessageChunk:
		more = s.classify(ev, u)
	case *acp.ToolCall:
		said := acp.ToolCallUpdate{ToolCallID: u.ToolCallID, Kind: u.Kind, Title: &u.Title, Status: u.Status, RawInput: u.RawInput, RawOutput: u.RawOutput, Locations: u.Locations, Content: u.Content, Meta: u.Meta}
		more = append(more, s.learnCall(ev, &said, true)...)
	case *acp.ToolCallUpdate:
		said := *u
		more = append(more, s.learnCall(ev, &said, false)...)
	case *acp.CurrentModeUpdate:
		s.moved = true
		more = append(more, s.modeChanged(s.plan.Mode(u.CurrentModeID))...)
		more = append(more, s.contradicted(u.CurrentModeID)...)
		ev.Patch(func(params jsontext.Value) jsontext.Value { return s.plan.Params(params, u) })
	case *acp.ConfigOptionUpdate:
		s.moved = true
		s.plan.Offered(nil, u.ConfigOptions)
		s.Options = s.plan.Options(u.ConfigOptions)
		more = append(more, emit{&SessionChanged{Session: s.ID, Options: s.Options, Modes: s.modesFromOptions()}})
		more = append(more, s.optionsContradict(u.ConfigOptions)...)
		ev.Patch(func(params jsontext.Value) jsontext.Value { return s.plan.Params(params, u) })
	case *acp.AvailableCommandsUpdate:
		s.Commands = u.AvailableCommands
		more = append(more, emit{&SessionChanged{Session: s.ID, Commands: u.AvailableCommands}})
	case *acp.SessionInfoUpdate:
		if title, ok := u.Title.Get(); ok && !s.titled {
			s.Title = cmp.Or(title, s.Title)
			more = append(more, emit{&SessionChanged{Session: s.ID, Title: &title}})
		}
	case *acp.UsageUpdate:
		more = append(more, emit{&SessionChanged{Session: s.ID, Context: &ContextUse{Used: u.Used, Size: u.Size}}})
	}
	return more
}

// learnCall takes in what an update says of a tool call, and adds what the bridge knows of it. begins is for a tool_call.
func (s *state) learnCall(ev *Message, said *acp.ToolCallUpdate, begins bool) []effect {
	c := s.calls.Learn(said, begins)
	ev.Paths = calls.Followed(said)
	if c.Adds(said) {
		ev.Patch(c.Added)
	}
	calls.Bound(ev.Update())
	return append(s.foreignTerminal(said.ToolCallID, said.Meta), s.tellTerminal(c.Use)...)
}

// tellTerminal tells which terminal the command of a call has.
func (s *state) tellTerminal(use *calls.Use) []effect {
	u := use.TerminalUpdate()
	if u == nil {
		return nil
	}
	return []effect{s.show(u)}
}

// classify recognises Copilot's own notices, which it sends as if the model had said them, and marks their chunks.
func (s *state) classify(ev *Message, u *acp.AgentMessageChunk) []effect {
	t, ok := u.Content.(*acp.TextContent)
	if !ok {
		return nil
	}
	var list []copilot.Notice
	if !s.replay {
		list = s.chunk.Write(t.Text)
	} else if kind, text := copilot.Classify(t.Text); kind != copilot.NotNotice {
		list = []copilot.Notice{{Kind: kind, Text: text}}
	}
	if len(list) == 0 {
		return nil
	}
	ev.Message = acp.NewUpdate(ev.SessionID(), conversation.MarkNotice(u, list[len(list)-1]))
	if s.replay {
		return nil
	}
	return s.notices(list)
}

// notices reports what Copilot itself said.
func (s *state) notices(list []copilot.Notice) []effect {
	var out []effect
	for _, n := range list {
		kind := "notice"
		if n.Kind == copilot.NoticeError {
			kind = "error"
			if s.turn != nil {
				s.turn.failure = n.Text
			}
		}
		out = append(out, emit{&SessionChanged{Session: s.ID, Event: &Happening{Type: kind, Message: n.Text, Said: true}}})
	}
	return out
}

func (s *state) modeChanged(id acp.SessionModeID) []effect {
	if s.Modes == nil {
		return nil
	}
	m := *s.Modes
	m.CurrentModeID = id
	s.Modes = &m
	return []effect{emit{&SessionChanged{Session: s.ID, Modes: s.Modes}}}
}

// modesFromOptions keeps the modes true when the agent reports a mode as a config option only (ACP v1: options
// supersede modes). Nil if nothing changed.
func (s *state) modesFromOptions() *acp.SessionModeState {
	if s.Modes == nil {
		return nil
	}
	for _, o := range s.Options {
		sel, ok := o.Variant.(*acp.SessionConfigSelect)
		if !ok || !permission.IsModeOption(o) || acp.SessionModeID(sel.CurrentValue) == s.Modes.CurrentModeID {
			continue
		}
		m := *s.Modes
		m.CurrentModeID = acp.SessionModeID(sel.CurrentValue)
		s.Modes = &m
		return s.Modes
	}
	return nil
}
