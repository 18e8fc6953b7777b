package bridge

import (
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission/meaning"
)

// editorPrefixes are in front of the name of a tool of ours in titles: Copilot's (1.0.102), claude-agent-acp's (0.100.0),
// codex-acp's (2.6.0).
var editorPrefixes = [...]string{"editor-", "mcp__editor__", "mcp.editor."}

// editorTool is the tool of ours that a tool call's title names, "" if it names none.
func editorTool(title string) string {
	for _, prefix := range editorPrefixes {
		if name, ok := strings.CutPrefix(title, prefix); ok && !strings.ContainsAny(name, " \t") {
			return name
		}
	}
	return ""
}

// update passes an agent's update on and learns from it.
func (s *state) update(u acp.SessionUpdate) []effect {
	var paths []string
	var more []effect
	if _, said := u.(*acp.AgentMessageChunk); !said && !s.replay {
		more = s.notices(s.chunk.Flush()) // a notice ends where something else begins
	}
	if said, ok := u.(*acp.AgentMessageChunk); ok {
		u, more = s.classify(said)
	}
	switch u := u.(type) {
	case *acp.ToolCall:
		c := s.calls.upsert(u.ToolCallID, &u.Title, u.Status, u.RawInput)
		said := acp.ToolCallUpdate{ToolCallID: u.ToolCallID, Kind: u.Kind, Title: &u.Title, RawInput: u.RawInput, RawOutput: u.RawOutput, Locations: u.Locations, Content: u.Content}
		s.hear(&said)
		c.begun = true
		c.learn(said)
		paths = followed(u.Locations, u.Content)
		u.Locations, u.Content = meaning.First(u.Locations), meaning.First(u.Content)
		s.addDiffs(c, &u.Content)
		more = append(more, s.foreignTerminal(u.ToolCallID, u.Meta)...)
		more = append(more, s.tellTerminal(c.use)...)
	case *acp.ToolCallUpdate:
		c := s.calls.upsert(u.ToolCallID, u.Title, u.Status, u.RawInput)
		s.hear(u)
		c.learn(*u)
		paths = followed(u.Locations, u.Content)
		u.Locations, u.Content = meaning.First(u.Locations), meaning.First(u.Content)
		s.addDiffs(c, &u.Content)
		more = append(more, s.foreignTerminal(u.ToolCallID, u.Meta)...)
		more = append(more, s.tellTerminal(c.use)...)
	case *acp.CurrentModeUpdate:
		more = append(more, s.modeChanged(s.plan.Mode(u.CurrentModeID))...)
		more = append(more, s.contradicted(u.CurrentModeID)...)
	case *acp.ConfigOptionUpdate:
		s.options = s.plan.Options(u.ConfigOptions)
		more = append(more, emit{&SessionChanged{Session: s.id, Options: s.options, Modes: s.modesFromOptions()}})
		more = append(more, s.optionsContradict(u.ConfigOptions)...)
	case *acp.AvailableCommandsUpdate:
		s.commands = u.AvailableCommands
		more = append(more, emit{&SessionChanged{Session: s.id, Commands: u.AvailableCommands}})
	case *acp.SessionInfoUpdate:
		if title, ok := u.Title.Get(); ok {
			s.title = title
			more = append(more, emit{&SessionChanged{Session: s.id, Title: &title}})
		}
	case *acp.UsageUpdate:
		s.context = &ContextUse{Used: u.Used, Size: u.Size}
		more = append(more, emit{&SessionChanged{Session: s.id, Context: s.context}})
	}
	return append([]effect{s.show(s.plan.Update(u), paths)}, more...)
}

// tellTerminal tells which terminal the command of a call has.
func (s *state) tellTerminal(use *toolUse) []effect {
	u := use.terminalOf()
	if u == nil {
		return nil
	}
	return []effect{s.show(u, nil)}
}

// addDiffs puts what our own tool changed into the update of its call. Copilot's last update of a call replaces the
// content that was sent before, so the diff goes into every update that brings content, and into the last one.
func (s *state) addDiffs(c *call, content *[]acp.ToolCallContent) {
	if c.use == nil || len(c.use.diffs) == 0 || len(*content) == 0 && !c.done {
		return
	}
	*content = append(diffContent(c.use.diffs), *content...)
}

// classify recognises Copilot's own notices, which it sends as if the model had said them, and marks their chunks.
func (s *state) classify(u *acp.AgentMessageChunk) (acp.SessionUpdate, []effect) {
	t, ok := u.Content.(*acp.TextContent)
	if !ok {
		return u, nil
	}
	if s.replay {
		if kind, text := copilot.Classify(t.Text); kind != copilot.NotNotice {
			return conversation.MarkNotice(u, copilot.Notice{Kind: kind, Text: text}), nil
		}
		return u, nil
	}
	list := s.chunk.Write(t.Text)
	if len(list) > 0 {
		return conversation.MarkNotice(u, list[len(list)-1]), s.notices(list)
	}
	return u, nil
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
		out = append(out, emit{&SessionChanged{Session: s.id, Event: &Happening{Type: kind, Message: n.Text, Said: true}}})
	}
	return out
}

func (s *state) modeChanged(id acp.SessionModeID) []effect {
	if s.modes == nil {
		return nil
	}
	m := *s.modes
	m.CurrentModeID = id
	s.modes = &m
	return []effect{emit{&SessionChanged{Session: s.id, Modes: s.modes}}}
}

// modesFromOptions keeps the modes true when the agent reports a mode as a config option only (ACP v1: options
// supersede modes). Nil if nothing changed.
func (s *state) modesFromOptions() *acp.SessionModeState {
	if s.modes == nil {
		return nil
	}
	for _, o := range s.options {
		sel, ok := o.Variant.(*acp.SessionConfigSelect)
		if !ok || !permission.IsModeOption(o) || acp.SessionModeID(sel.CurrentValue) == s.modes.CurrentModeID {
			continue
		}
		m := *s.modes
		m.CurrentModeID = acp.SessionModeID(sel.CurrentValue)
		s.modes = &m
		return s.modes
	}
	return nil
}
