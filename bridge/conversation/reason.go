package conversation

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// FailureReason is why a tool call failed, for the user: what the bridge says of it (`_meta["copilot-bridge"].message`), or for a
// tool of the agent's own what the agent says in the update that ends the call: the first line of its content, or else of its raw
// output, where Copilot puts it ("message") and others do too ("error", "text"). What an editor tool answers is for the model, and is
// not shown; title is the call's as the agent has it, which names such a tool. It is "" if the update is no failed call or gives no
// reason. Who shows it passes it through the escape filter.
func FailureReason(title string, update acp.SessionUpdate) string {
	var status *acp.ToolCallStatus
	var content []acp.ToolCallContent
	var raw, meta jsontext.Value
	switch u := update.(type) {
	case *acp.ToolCall:
		status, content, raw, meta = u.Status, u.Content, u.RawOutput, u.Meta
	case *acp.ToolCallUpdate:
		status, content, raw, meta = u.Status, u.Content, u.RawOutput, u.Meta
	}
	if status == nil || *status != acp.ToolCallStatusFailed {
		return ""
	}
	if said, ok := acp.StringOf(acp.Member(acp.Member(meta, "copilot-bridge"), "message")); ok || tools.NameIn(title) != "" {
		return said
	}
	for _, c := range content {
		block, ok := c.(*acp.Content)
		if !ok {
			continue
		}
		if text, ok := block.Content.(*acp.TextContent); ok {
			if line := firstLine(text.Text); line != "" {
				return line
			}
		}
	}
	return rawReason(raw)
}

// rawReason reads a reason out of raw output, which has no shape that ACP v1 names: a string, or an object that says it
// in one of the members seen in agents.
func rawReason(raw jsontext.Value) string {
	var whole string
	if json.Unmarshal(raw, &whole) == nil {
		return firstLine(whole)
	}
	var members map[string]jsontext.Value
	if json.Unmarshal(raw, &members) != nil {
		return ""
	}
	for _, name := range []string{"message", "error", "text"} {
		if line := rawReason(members[name]); line != "" {
			return line
		}
	}
	return ""
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}
