package plain

import (
	"cmp"
	"path/filepath"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
	"github.com/copilot-bridge/copilot-bridge/internal/escape"
)

// toolCalls are the tool calls of the sessions' turns, as far as the plain tier shows them. Only the goroutine that
// shows events uses them.
type toolCalls map[string][]*toolCall // by session, oldest first

type toolCall struct {
	id     acp.ToolCallID
	name   string // one line, safe to show
	status acp.ToolCallStatus
	places []place
	text   string // the last text of its content, or why it failed
}

// place is a line of a file, -1 where only the file is known.
type place struct {
	path string
	line int
}

// placeAt is a place as agents name it: a line from 1, or none.
func placeAt(l acp.ToolCallLocation) place {
	if l.Line == nil || *l.Line == 0 {
		return place{l.Path, -1}
	}
	return place{l.Path, int(*l.Line) - 1}
}

// update takes an update in and returns the call it is about, nil if it is about none.
func (t toolCalls) update(e *bridge.Message) *toolCall {
	u := acp.CallOf(e.Update())
	if u == nil {
		return nil
	}
	c := t.get(e.Session, u.ToolCallID)
	if u.Title != nil && *u.Title != "" {
		c.name = escape.Inline(*u.Title)
	}
	if u.Status != nil {
		c.status = *u.Status
	}
	if why := bridge.FailureReason(c.name, u); tools.NameIn(c.name) != "" { // its content is for the model
		c.text = why
	} else {
		c.text = cmp.Or(u.LastText(), c.text, why)
	}
	var places []place
	for _, l := range u.Locations {
		if filepath.IsAbs(l.Path) {
			places = append(places, placeAt(l))
		}
	}
	if places == nil {
		for _, path := range e.Paths {
			places = append(places, place{path, -1})
		}
	}
	if places != nil {
		c.places = places
	}
	return c
}

func (t toolCalls) get(session string, id acp.ToolCallID) *toolCall {
	for _, c := range t[session] {
		if c.id == id {
			return c
		}
	}
	c := &toolCall{id: id, name: escape.Inline(string(id)), status: acp.ToolCallStatusPending}
	t[session] = append(t[session], c)
	return c
}

// running is the title of the call that began last and is not over, "" if there is none.
func (t toolCalls) running(session string) string {
	calls := t[session]
	for i := len(calls) - 1; i >= 0; i-- {
		if s := calls[i].status; s == acp.ToolCallStatusPending || s == acp.ToolCallStatusInProgress {
			return calls[i].title()
		}
	}
	return ""
}

// title is what the call does. Agents name a tool of ours by nothing but its name ("editor-edit"), so the file is said with
// it.
func (c *toolCall) title() string {
	name := tools.NameIn(c.name)
	if name == "" {
		return c.name
	}
	if len(c.places) > 0 {
		name += " " + escape.Inline(filepath.Base(c.places[0].path))
	}
	return name
}
