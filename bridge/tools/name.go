package tools

import "strings"

// editorPrefixes are in front of the name of a tool of ours in the titles of tool calls: Copilot's (1.0.102),
// claude-agent-acp's (0.100.0), codex-acp's (2.6.0).
var editorPrefixes = [...]string{ServerName + "-", "mcp__" + ServerName + "__", "mcp." + ServerName + "."}

// NameIn is the name of the editor tool that a tool call's title names, "" if it names none.
func NameIn(title string) string {
	for _, prefix := range editorPrefixes {
		if name, ok := strings.CutPrefix(title, prefix); ok && !strings.ContainsAny(name, " \t") {
			return name
		}
	}
	return ""
}
