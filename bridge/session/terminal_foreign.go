package session

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/calls"
)

// foreignOutput is an effect of step: output of a terminal that is probably not ours.
type foreignOutput struct{ ev *TerminalOutput }

// foreignTerminal is the output of terminals that the agent runs itself, see [calls.Foreign].
func (s *state) foreignTerminal(call acp.ToolCallID, meta jsontext.Value) (out []effect) {
	if s.mute {
		return nil
	}
	for _, o := range calls.Foreign(call, meta) {
		out = append(out, foreignOutput{&TerminalOutput{Session: s.ID, Terminal: o.Terminal, Data: o.Data, Exit: o.Exit}})
	}
	return out
}

// showForeign shows output of a terminal that the agent runs itself. An agent that tells of one of ours tells nothing
// new: its output has been shown as it came.
func (s *Session) showForeign(ev *TerminalOutput) {
	if _, ours := s.all.cfg.Runner.Kept(s.ID, ev.Terminal); !ours && s.foreign.Add(ev.Terminal, ev.Data, ev.Exit) {
		s.all.cfg.Out.Push(ev)
	}
}

// showKept shows what the terminals of a tool call have written, once more: for an editor that loads the session.
func (s *Session) showKept(u acp.SessionUpdate, show func(Event)) {
	var content []acp.ToolCallContent
	switch u := u.(type) {
	case *acp.ToolCall:
		content = u.Content
	case *acp.ToolCallUpdate:
		content = u.Content
	}
	for _, c := range content {
		t, ok := c.(*acp.Terminal)
		if !ok {
			continue
		}
		id := string(t.TerminalID)
		o, kept := s.all.cfg.Runner.Kept(s.ID, id)
		if !kept {
			o, kept = s.foreign.Kept(id)
		}
		if kept {
			show(&TerminalOutput{Session: s.ID, Terminal: id, Data: o.Text, Truncated: o.Truncated, Exit: o.Exit})
		}
	}
}
