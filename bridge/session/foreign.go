package session

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// Some agents run commands themselves and show them as terminals that the client never made: a tool call has content
// {"type":"terminal"} with an id of theirs, and the output comes in the _meta of its updates. The keys are a
// convention of Zed's (codex-acp 2.6, pi-acp 0.0.34, claude-agent-acp).

// terminalMeta is what such a _meta may hold.
type terminalMeta struct {
	Output *foreignData `json:"terminal_output"`
	Delta  *foreignData `json:"terminal_output_delta"`
	Exit   *foreignExit `json:"terminal_exit"`
}

type foreignData struct {
	ID   string `json:"terminal_id"`
	Data string `json:"data"`
}

type foreignExit struct {
	ID     string  `json:"terminal_id"`
	Code   *int64  `json:"exit_code"`
	Signal *string `json:"signal"`
}

// foreignOutput is an effect of step: output of a terminal that is probably not ours.
type foreignOutput struct{ ev *TerminalOutput }

// foreignTerminal reads the output of a foreign terminal from a tool call's _meta; without an id it is the call's own.
// What cannot be read is passed on with the update and otherwise left alone.
func (s *state) foreignTerminal(call acp.ToolCallID, meta jsontext.Value) (out []effect) {
	if len(meta) == 0 || s.mute {
		return nil
	}
	var m terminalMeta
	if err := json.Unmarshal(meta, &m); err != nil {
		return nil
	}
	id := func(given string) string {
		if given == "" {
			return string(call)
		}
		return given
	}
	for _, d := range []*foreignData{m.Output, m.Delta} {
		if d != nil && d.Data != "" {
			out = append(out, foreignOutput{&TerminalOutput{Session: s.ID, Terminal: id(d.ID), Data: d.Data}})
		}
	}
	if e := m.Exit; e != nil {
		exit := &Exit{Signal: e.Signal}
		if e.Code != nil && *e.Code >= 0 && *e.Code <= 1<<32-1 {
			code := uint32(*e.Code)
			exit.Code = &code
		}
		out = append(out, foreignOutput{&TerminalOutput{Session: s.ID, Terminal: id(e.ID), Exit: exit}})
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
