package acpfront

import (
	"context"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// An editor without terminals cannot show {"type": "terminal"}, which an agent uses that was promised terminals (kimi-code 2.1.0). It
// gets the output as text: what there is when the tool call shows its terminal, and all of it at the end.

// screens are the terminals of such an editor's sessions, by their ids.
type screens struct {
	mu    sync.Mutex
	open  map[string]*screen
	order []string // their ids, the oldest first
}

// screen is what a terminal has written, its end if it is long, and the tool calls that show it.
type screen struct {
	text  string
	calls []shownIn
}

// shownIn is a tool call and its content as the agent sent it. The session is named as the editor knows it.
type shownIn struct {
	session acp.SessionID
	call    acp.ToolCallID
	content []jsontext.Value
}

// of is the screen of a terminal. The caller holds mu.
func (c *screens) of(terminal string) *screen {
	if t := c.open[terminal]; t != nil {
		return t
	}
	if c.open == nil {
		c.open = map[string]*screen{}
	}
	if len(c.order) >= maxScreens {
		delete(c.open, c.order[0])
		c.order = c.order[1:]
	}
	t := &screen{}
	c.open[terminal], c.order = t, append(c.order, terminal)
	return t
}

// asText gives a tool call the output of its terminals in their place, and notes where each is shown.
func (c *screens) asText(m *acp.Message) {
	call := acp.CallOf(m.Update())
	if call == nil || !slices.ContainsFunc(call.Content, isTerminal) {
		return
	}
	var items []jsontext.Value
	if acp.Unmarshal(acp.Member(acp.Member(m.Params(), "update"), "content"), &items) != nil {
		return
	}
	at := shownIn{m.SessionID(), call.ToolCallID, items}
	c.mu.Lock()
	for _, item := range items {
		if id := terminalIn(item); id != "" {
			t := c.of(id)
			t.calls = append(slices.DeleteFunc(t.calls, func(o shownIn) bool { return o.session == at.session && o.call == at.call }), at)
		}
	}
	content := c.written(items)
	c.mu.Unlock()
	m.Patch(func(params jsontext.Value) jsontext.Value {
		return acp.SetWithin(params, []string{"update"}, "content", content)
	})
}

// written is content with text for its terminals. The caller holds mu.
func (c *screens) written(items []jsontext.Value) jsontext.Value {
	out := make([]jsontext.Value, len(items))
	for i, item := range items {
		out[i] = item
		if id := terminalIn(item); id != "" {
			text, err := acp.Marshal(&acp.Content{Content: acp.Text(escape.Fenced("", c.of(id).text))})
			if err == nil {
				out[i] = text
			}
		}
	}
	raw, err := acp.Marshal(out)
	if err != nil {
		return jsontext.Value("[]") // they came as JSON
	}
	return raw
}

// took notes output, and returns what is to be told at the end of a command: each tool call that shows it, with all of it.
func (c *screens) took(ev *bridge.TerminalOutput) (tell []*acp.Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.of(ev.Terminal)
	t.text = escape.Tail(t.text+ev.Data, maxScreen)
	if ev.Exit == nil {
		return nil
	}
	for _, at := range t.calls {
		id, err := acp.Marshal(string(at.call))
		if err != nil {
			continue
		}
		update := acp.SetMember(acp.SetMember(jsontext.Value(`{"sessionUpdate":"tool_call_update"}`), "toolCallId", id), "content", c.written(at.content))
		params := acp.SetMember(acp.SetMember(jsontext.Value(`{}`), "sessionId", acp.Quote(string(at.session))), "update", update)
		tell = append(tell, acp.NewMessage(acp.MethodSessionUpdate, params))
	}
	return tell
}

// terminalIn is the id of the terminal that an item of a tool call's content shows, "" if it is something else.
func terminalIn(item jsontext.Value) string {
	if !acp.SameText(acp.Member(item, "type"), "terminal") {
		return ""
	}
	id, _ := acp.StringOf(acp.Member(item, "terminalId"))
	return id
}

func isTerminal(c acp.ToolCallContent) bool {
	_, ok := c.(*acp.Terminal)
	return ok
}

// output shows what a command writes to an editor that has no terminals.
func (s *Server) output(ctx context.Context, ev *bridge.TerminalOutput) {
	if s.capabilities().Terminal {
		return
	}
	for _, m := range s.screens.took(ev) {
		s.tell(ctx, m)
	}
}

// readable makes of an update what the editor can show, and adds the bridge's commands to a list of them.
func (s *Server) readable(m *acp.Message) {
	if m.Method != acp.MethodSessionUpdate {
		return
	}
	p, _ := m.Peek()
	word, _ := acp.StringOf(p.Kind)
	switch word {
	case "available_commands_update":
		if u, ok := m.Update().(*acp.AvailableCommandsUpdate); ok {
			s.addCommands(m, u)
		}
	case "tool_call", "tool_call_update":
		if !s.capabilities().Terminal {
			s.screens.asText(m)
		}
	}
}
