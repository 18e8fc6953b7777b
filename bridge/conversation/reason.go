package conversation

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// FailureReason is why a tool call failed, as the agent says it in the update that ends the call: the first line of its
// content, or else of its raw output, where Copilot puts it ("message") and others do too ("error", "text"). It is "" if
// the update is no failed call or gives no reason. The text is the agent's: who shows it passes it through the
// escape filter.
func FailureReason(update acp.SessionUpdate) string {
	var status *acp.ToolCallStatus
	var content []acp.ToolCallContent
	var raw jsontext.Value
	switch u := update.(type) {
	case *acp.ToolCall:
		status, content, raw = u.Status, u.Content, u.RawOutput
	case *acp.ToolCallUpdate:
		status, content, raw = u.Status, u.Content, u.RawOutput
	}
	if status == nil || *status != acp.ToolCallStatusFailed {
		return ""
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
