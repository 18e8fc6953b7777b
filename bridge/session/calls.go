package session

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission/meaning"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// callTable holds the agent's tool calls as far as the bridge must know them: which are open, which of them is an
// editor tool of ours, and what that one changed.
type callTable struct {
	byID  map[acp.ToolCallID]*call
	order []acp.ToolCallID // as first seen
	uses  []*toolUse       // calls of our tools that no ACP tool call was found for yet
	past  map[string]bool  // ids of earlier turns, see pastID
}

// stale says whether an id was one of an earlier turn's and was not given to a new call since: an editor that is shown both
// draws a question about it from what was said of the earlier one. With more ids than are kept, each may be such.
func (t *callTable) stale(id acp.ToolCallID) bool {
	if c := t.byID[id]; c != nil && c.begun {
		return false
	}
	return t.past[pastID(id)] || len(t.past) >= maxPastCalls
}

// call is one ACP v1 tool call, merged from its updates.
type call struct {
	id    acp.ToolCallID
	tool  string // the editor tool it runs, "" for the agent's own
	input string // its rawInput as canonical JSON
	done  bool
	begun bool // by a tool_call of this turn, not by an update only
	use   *toolUse
	said  acp.ToolCallUpdate // what the agent has said of it so far, for a question about it
}

// learn keeps what an update says of a call: the newest of each, as ACP v1 merges them.
func (c *call) learn(u acp.ToolCallUpdate) {
	c.said.ToolCallID = u.ToolCallID
	if u.Kind != nil {
		c.said.Kind = u.Kind
	}
	if u.Title != nil {
		c.said.Title = u.Title
	}
	if len(u.RawInput) > 0 {
		c.said.RawInput = u.RawInput
	}
	if u.Locations != nil {
		c.said.Locations = u.Locations
	}
	if u.Content != nil {
		c.said.Content = u.Content
	}
}

// said is what is known of the tool call that a request asks about, nil if nothing is.
func (t *callTable) said(id acp.ToolCallID) *acp.ToolCallUpdate {
	c := t.byID[id]
	if c == nil || id == "" {
		return nil
	}
	u := c.said
	return &u
}

// pastID is as much of an id as is kept of it.
func pastID(id acp.ToolCallID) string { return strings.Clone(string(id[:min(len(id), maxPastID)])) }

// toolUse is one call of an editor tool.
type toolUse struct {
	tool  string // "view", "edit", …
	input string // its arguments as canonical JSON
	// found gets the id of the ACP tool call that runs this tool, once; buffered.
	found chan acp.ToolCallID
	id    acp.ToolCallID
	diffs []FileDiff // what it changed, known before the agent reports the end of the call
	term  string     // the terminal of the editor that its command runs in

	terminal string // the terminal it began, "" if none
	told     bool   // the editor knows which terminal that is
}

// terminalOf says which terminal a call's command has, once both are known, so that an editor can show the one's
// output in the other. ACP's own terminal content is for terminals of the client's.
func (u *toolUse) terminalOf() *acp.ToolCallUpdate {
	if u == nil || u.id == "" || u.terminal == "" || u.told {
		return nil
	}
	u.told = true
	id, err := json.Marshal(u.terminal)
	if err != nil {
		return nil
	}
	return &acp.ToolCallUpdate{ToolCallID: u.id, Meta: []byte(`{"copilot-bridge":{"terminalId":` + string(id) + `}}`)}
}

func newCallTable() *callTable { return &callTable{byID: map[acp.ToolCallID]*call{}} }

func (t *callTable) open() (n int) {
	for _, c := range t.byID {
		if !c.done {
			n++
		}
	}
	return n
}

// takeOpen forgets all calls but for their ids, and returns those without an end, in the order in which they began.
func (t *callTable) takeOpen() []*call {
	var out []*call
	for _, id := range t.order {
		if c := t.byID[id]; !c.done {
			out = append(out, c)
		}
	}
	past := t.past
	if past == nil {
		past = map[string]bool{}
	}
	for _, id := range t.order {
		if len(past) < maxPastCalls {
			past[pastID(id)] = true
		}
	}
	*t = *newCallTable()
	t.past = past
	return out
}

// upsert notes a tool_call or tool_call_update: both may come first (ACP v1; gemini never sends tool_call for a call
// that asks, claude-code-acp sends it twice).
func (t *callTable) upsert(id acp.ToolCallID, title *string, status *acp.ToolCallStatus, input []byte) *call {
	c := t.byID[id]
	if c == nil {
		c = &call{id: id}
		t.byID[id] = c
		t.order = append(t.order, id)
	}
	if title != nil && c.tool == "" {
		c.tool = tools.NameIn(*title)
	}
	if len(input) > 0 {
		c.input = canonical(argumentsOf(input))
	}
	if status != nil {
		c.done = *status == acp.ToolCallStatusCompleted || *status == acp.ToolCallStatusFailed
	}
	t.match(c)
	return c
}

// argumentsOf are the arguments in a call's rawInput. codex-acp 2.6.0 puts them beside the names of the server and the tool,
// others send them as they are.
func argumentsOf(input []byte) []byte {
	var outer map[string]json.RawMessage
	if json.Unmarshal(input, &outer) != nil || len(outer) != 3 || outer["server"] == nil || outer["tool"] == nil {
		return input
	}
	if args := outer["arguments"]; len(args) > 0 && args[0] == '{' {
		return args
	}
	return input
}

// match ties a call to the use of our tool that has the same name and arguments, oldest first.
func (t *callTable) match(c *call) {
	if c.use != nil {
		return
	}
	for i, u := range t.uses {
		if c.runs(u) {
			t.tie(c, u)
			t.uses = slices.Delete(t.uses, i, i+1)
			return
		}
	}
}

// runs says whether a call is the agent's announcement of a use of our tool. Copilot CLI 1.0.102 titles a command with
// its description, so one that names no tool of ours is known by the command.
func (c *call) runs(u *toolUse) bool {
	if c.tool == "" && u.tool == "bash" {
		return c.input == u.input && strings.Contains(u.input, `"command"`)
	}
	return c.tool != "" && c.tool == u.tool && c.input == u.input
}

func (t *callTable) tie(c *call, u *toolUse) {
	c.use, u.id = u, c.id
	u.found <- c.id
}

// tool notes a call of one of our tools. The agent announces a tool call and calls the tool on two different
// connections, so either may be seen first.
func (t *callTable) tool(u *toolUse) {
	for _, id := range t.order {
		if c := t.byID[id]; c.use == nil && c.runs(u) {
			t.tie(c, u)
			return
		}
	}
	t.uses = append(t.uses, u)
}

// diffContent is what a call of ours changed, as ACP v1 tool call content: whole texts, before and after.
func diffContent(diffs []FileDiff) []acp.ToolCallContent {
	out := make([]acp.ToolCallContent, 0, len(diffs))
	for _, d := range diffs {
		out = append(out, d.Content())
	}
	return out
}

// followed are those of the paths of a call that an editor can follow: ACP v1 has absolute ones only.
func followed(locations []acp.ToolCallLocation, content []acp.ToolCallContent) []string {
	paths, _ := meaning.Files(locations, content)
	return slices.DeleteFunc(paths, func(p string) bool { return !filepath.IsAbs(p) })
}
