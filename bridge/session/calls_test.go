package session

import (
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// TestTheArgumentsOfACallAreFound: agents put them into rawInput in their own ways, and the call must be known for the one of
// our tool that it announces.
func TestTheArgumentsOfACallAreFound(t *testing.T) {
	const want = `{"path":"/a"}`
	for input, title := range map[string]string{
		`{"path":"/a"}`: "editor-view",
		`{"server":"editor","tool":"view","arguments":{"path":"/a"}}`:    "mcp.editor.view",
		`{ "arguments" : {"path":"/a"},"tool":"view","server":"editor"}`: "mcp.editor.view",
	} {
		table := newCallTable()
		use := &toolUse{tool: "view", input: canonical([]byte(want)), found: make(chan acp.ToolCallID, 1)}
		table.tool(use)
		if c := table.upsert("c", &title, nil, []byte(input)); c.use != use {
			t.Errorf("%s is not known for a view", input)
		}
	}
	for _, input := range []string{`{"server":"editor","tool":"view"}`, `{"server":"editor","tool":"view","arguments":[]}`, `{"server":1,"tool":2,"arguments":{"path":"/a"},"x":1}`, `7`} {
		if string(argumentsOf([]byte(input))) != input {
			t.Errorf("%s has arguments inside", input)
		}
	}
}
