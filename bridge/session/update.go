package session

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission/meaning"
)

// message passes an update on and learns from it.
func (s *state) message(in messageIn) []effect {
	ev := &Message{Message: in.msg, Session: s.ID, Turn: s.turnID(), Replay: s.replay}
	var more []effect
	if u := in.msg.Update(); u != nil {
		more = s.learn(ev, u)
	} else {
		s.hear(nil) // of a tool call, which may be any
	}
	if in.shown || s.mute {
		return more
	}
	return append([]effect{emit{ev}}, more...)
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
		more = append(more, s.learnCall(ev, &said)...)
		s.calls.byID[u.ToolCallID].begun = true
	case *acp.ToolCallUpdate:
		said := *u
		more = append(more, s.learnCall(ev, &said)...)
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
		if title, ok := u.Title.Get(); ok {
			s.Title = cmp.Or(title, s.Title)
			more = append(more, emit{&SessionChanged{Session: s.ID, Title: &title}})
		}
	case *acp.UsageUpdate:
		more = append(more, emit{&SessionChanged{Session: s.ID, Context: &ContextUse{Used: u.Used, Size: u.Size}}})
	}
	return more
}

// learnCall takes in what an update says of a tool call, and adds what the bridge knows of it.
func (s *state) learnCall(ev *Message, said *acp.ToolCallUpdate) []effect {
	c := s.calls.upsert(said.ToolCallID, said.Title, said.Status, said.RawInput)
	s.hear(said)
	c.learn(*said)
	ev.Paths = followed(said.Locations, said.Content)
	if c.use.shows() && (c.done || len(said.Content) > 0) {
		ev.Patch(func(params jsontext.Value) jsontext.Value { return withOurs(params, c) })
	}
	bound(ev.Update())
	return append(s.foreignTerminal(said.ToolCallID, said.Meta), s.tellTerminal(c.use)...)
}

// bound shortens the lists of a tool call to what is looked at.
func bound(u acp.SessionUpdate) {
	switch u := u.(type) {
	case *acp.ToolCall:
		u.Locations, u.Content = meaning.First(u.Locations), meaning.First(u.Content)
	case *acp.ToolCallUpdate:
		u.Locations, u.Content = meaning.First(u.Locations), meaning.First(u.Content)
	}
}

// tellTerminal tells which terminal the command of a call has.
func (s *state) tellTerminal(use *toolUse) []effect {
	u := use.terminalOf()
	if u == nil {
		return nil
	}
	return []effect{s.show(u)}
}

// withOurs puts what our own tool changed, and the terminal of its command, into an update of its call. Copilot's last
// update of a call replaces the content that was sent before, so that goes into every update that brings content, and into
// the last one.
func withOurs(params jsontext.Value, c *call) jsontext.Value {
	ours, err := acp.Marshal(&acp.ToolCallUpdate{Content: c.use.content(), Locations: diffLocations(c.use.diffs)})
	if err != nil {
		return params
	}
	update, list := acp.Member(params, "update"), acp.Member(ours, "content")
	update = acp.SetMember(update, "content", acp.PutFirst(acp.Member(update, "content"), list[1:len(list)-1]))
	if l := acp.Member(update, "locations"); c.done && len(c.use.diffs) > 0 && (len(l) == 0 || string(l) == "null") {
		update = acp.SetMember(update, "locations", acp.Member(ours, "locations"))
	}
	return acp.SetMember(params, "update", update)
}

// shows says whether a call has something of ours to show.
func (u *toolUse) shows() bool { return u != nil && (len(u.diffs) > 0 || u.term != "") }

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
