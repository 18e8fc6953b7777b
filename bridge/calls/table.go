package calls

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// Table holds the agent's tool calls as far as the bridge must know them: which are open, which of them is an
// editor tool of ours, and what that one changed.
type Table struct {
	byID  map[acp.ToolCallID]*Call
	order []acp.ToolCallID // as first seen
	uses  []*Use           // calls of our tools that no ACP tool call was found for yet
	past  map[string]bool  // ids of earlier turns, see pastID

	watched []*Watch // of questions that wait for the user
	asks    []*Ask   // questions that wait for those about earlier calls
	coming  []*Ask   // those about calls of the agent's own, in the order in which they are put
}

// Stale says whether an id was one of an earlier turn's and was not given to a new call since: an editor that is shown both
// draws a question about it from what was said of the earlier one. With more ids than are kept, each may be such.
func (t *Table) Stale(id acp.ToolCallID) bool {
	if c := t.byID[id]; c != nil && c.begun {
		return false
	}
	return t.past[pastID(id)] || len(t.past) >= maxPastCalls
}

// Call is one ACP v1 tool call, merged from its updates.
type Call struct {
	ID    acp.ToolCallID
	tool  string // the editor tool it runs, "" for the agent's own
	input string // its rawInput as canonical JSON
	Done  bool
	begun bool               // by a tool_call of this turn, not by an update only
	Use   *Use               // the call of our tool that it is, nil for none
	said  acp.ToolCallUpdate // what the agent has said of it so far, for a question about it
	no    string             // why it was not done, for the user: of the agent's own tools; see Use.No for ours
	past  bool               // no question waits for one about it any more
}

// learn keeps what an update says of a call: the newest of each, as ACP v1 merges them.
func (c *Call) learn(u acp.ToolCallUpdate) {
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

// Said is what is known of the tool call that a request asks about, nil if nothing is.
func (t *Table) Said(id acp.ToolCallID) *acp.ToolCallUpdate {
	c := t.byID[id]
	if c == nil || id == "" {
		return nil
	}
	u := c.said
	return &u
}

// pastID is as much of an id as is kept of it.
func pastID(id acp.ToolCallID) string { return strings.Clone(string(id[:min(len(id), maxPastID)])) }

// Use is one call of an editor tool.
type Use struct {
	tool  string // "view", "edit", …
	input string // its arguments as canonical JSON
	// found gets the id of the ACP tool call that runs this tool, once; buffered.
	found          chan acp.ToolCallID
	id             acp.ToolCallID
	Diffs          []permission.FileDiff // what it changed, known before the agent reports the end of the call
	EditorTerminal string                // the terminal of the editor that its command runs in

	No      string // why it was not done, one sentence for the user, "" if it was
	NoFirst bool   // the editor knows nothing of our _meta, so the sentence stands before what the model reads

	past bool // its question was put, or there is none
	due  bool // its question may be put, and is on its way or was

	Terminal string // the terminal it began, "" if none
	told     bool   // the editor knows which terminal that is
}

// TerminalUpdate says which terminal a call's command has, once both are known, so that an editor can show the one's
// output in the other. ACP's own terminal content is for terminals of the client's.
func (u *Use) TerminalUpdate() *acp.ToolCallUpdate {
	if u == nil || u.id == "" || u.Terminal == "" || u.told {
		return nil
	}
	u.told = true
	id, err := json.Marshal(u.Terminal)
	if err != nil {
		return nil
	}
	return &acp.ToolCallUpdate{ToolCallID: u.id, Meta: []byte(`{"copilot-bridge":{"terminalId":` + string(id) + `}}`)}
}

// NewUse is a call of one of our tools that the agent has just made.
func NewUse(tool string, args map[string]any) *Use {
	return &Use{tool: tool, input: keyOf(args), found: make(chan acp.ToolCallID, 1)}
}

// Await is the ACP tool call that runs the tool; both are announced on different connections, so it may take a moment to be
// known. It is false when ctx ends before.
func (u *Use) Await(ctx context.Context) (acp.ToolCallID, bool) {
	select {
	case id := <-u.found:
		u.found <- id // for the next question of this call
		return id, true
	case <-ctx.Done():
		return "", false
	}
}

// New is an empty table.
func New() *Table { return &Table{byID: map[acp.ToolCallID]*Call{}} }

// Open is how many calls have no end.
func (t *Table) Open() (n int) {
	for _, c := range t.byID {
		if !c.Done {
			n++
		}
	}
	return n
}

// TakeOpen forgets all calls but for their ids, and returns those without an end, in the order in which they began.
func (t *Table) TakeOpen() []*Call {
	var out []*Call
	for _, id := range t.order {
		if c := t.byID[id]; !c.Done {
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
	watched, asks, coming := t.watched, t.asks, t.coming
	*t = *New()
	t.past, t.watched, t.asks, t.coming = past, watched, asks, coming
	return out
}

// Learn takes in what an update says of a call; begins is for a tool_call.
func (t *Table) Learn(said *acp.ToolCallUpdate, begins bool) *Call {
	c := t.upsert(said.ToolCallID, said.Title, said.Status, said.RawInput)
	t.hear(said)
	c.learn(*said)
	c.begun = c.begun || begins
	return c
}

// upsert notes a tool_call or tool_call_update: both may come first (ACP v1; gemini never sends tool_call for a call
// that asks, claude-code-acp sends it twice).
func (t *Table) upsert(id acp.ToolCallID, title *string, status *acp.ToolCallStatus, input []byte) *Call {
	c := t.byID[id]
	if c == nil {
		c = &Call{ID: id}
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
		c.Done = *status == acp.ToolCallStatusCompleted || *status == acp.ToolCallStatusFailed
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
func (t *Table) match(c *Call) {
	if c.Use != nil {
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
func (c *Call) runs(u *Use) bool {
	if c.tool == "" && u.tool == "bash" {
		return c.input == u.input && c.isCommand()
	}
	return c.tool != "" && c.tool == u.tool && c.input == u.input
}

// isCommand says whether a call that names no tool has the arguments of our bash.
func (c *Call) isCommand() bool { return c.tool == "" && strings.Contains(c.input, `"command"`) }

func (t *Table) tie(c *Call, u *Use) {
	c.Use, u.id = u, c.ID
	u.found <- c.ID
}

// Add notes a call of one of our tools. The agent announces a tool call and calls the tool on two different
// connections, so either may be seen first.
func (t *Table) Add(u *Use) {
	for _, id := range t.order {
		if c := t.byID[id]; c.Use == nil && c.runs(u) {
			t.tie(c, u)
			return
		}
	}
	t.uses = append(t.uses, u)
}

// diffContent is what a call of ours changed, as ACP v1 tool call content: whole texts, before and after.
func diffContent(diffs []permission.FileDiff) []acp.ToolCallContent {
	out := make([]acp.ToolCallContent, 0, len(diffs))
	for _, d := range diffs {
		out = append(out, d.Content())
	}
	return out
}

// keyFields are the arguments that tell two calls of a tool apart. Others differ between what an agent announces and
// what it sends (defaults filled in).
var keyFields = []string{"path", "old_str", "new_str", "file_text", "command", "shellId", "pattern", "symbol", "query", "newName", "apply"}

// keyOf is the comparable form of a call's arguments.
func keyOf(args map[string]any) string {
	pick := map[string]any{}
	for _, f := range keyFields {
		if v, ok := args[f].(string); ok && v != "" {
			pick[f] = v
		}
	}
	b, err := json.Marshal(pick) // sorts its keys
	if err != nil {
		return ""
	}
	return string(b)
}

// canonical is keyOf for arguments as they are on the wire.
func canonical(raw []byte) string {
	var args map[string]any
	if json.Unmarshal(raw, &args) != nil {
		return ""
	}
	return keyOf(args)
}
