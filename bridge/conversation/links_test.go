package conversation

import (
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// The transcript links the files that a turn was about, the hunks of its changes by their lines, and what is left
// changed; a path cannot get out of its link, and nothing but local files is linked.
func TestTheTranscriptLinksFilesAndHunks(t *testing.T) {
	var m Markdown
	done := acp.ToolCallStatusCompleted
	line := uint32(7)
	old := strings.Repeat("x\n", 20)
	now := "A\n" + strings.Repeat("x\n", 9) + "B\nC\n" + strings.Repeat("x\n", 9)
	m.Prompt([]acp.ContentBlock{acp.Text("look at"), &acp.ResourceLink{URI: "file:///w/b%20c.txt", Name: "b c.txt"}, &acp.ResourceLink{URI: "https://x/`y", Name: "y"}})
	m.Add(&Message{Message: acp.NewUpdate("", &acp.ToolCall{ToolCallID: "c", Title: "view", Locations: []acp.ToolCallLocation{{Path: "/w/a.txt", Line: &line}}})})
	m.Add(&Message{Message: acp.NewUpdate("", &acp.ToolCallUpdate{ToolCallID: "c", Status: &done})})
	m.Add(&Message{Message: acp.NewUpdate("", &acp.ToolCall{ToolCallID: "d", Title: "edit", Status: &done, Content: []acp.ToolCallContent{&acp.Diff{Path: "/w/a.txt", OldText: &old, NewText: now}}})})
	m.Add(&Message{Message: acp.NewUpdate("", &acp.ToolCall{ToolCallID: "e", Title: "evil", Status: &done, Locations: []acp.ToolCallLocation{{Path: "/w/>](http://evil)\n[x*.txt"}, {Path: "not/absolute"}}})})
	m.End(acp.StopReasonEndTurn, "", []FileCount{{"/w/a.txt", 3, 1}})
	text := m.String()
	for _, want := range []string{
		"[b c.txt](<file:///w/b%20c.txt>)", "`https://x/%60y`",
		"- `view`: done, [a.txt:7](<file:///w/a.txt#L7>)\n",
		"[a.txt](<file:///w/a.txt>): [line 1](<file:///w/a.txt#L1>), [lines 11 to 12](<file:///w/a.txt#L11>)",
		"(<file:///w/%3E%5D%28http://evil%29%0A%5Bx%2A.txt>), not/absolute",
		"Changed:\n\n- [a.txt](<file:///w/a.txt>) (+3 -1)\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if strings.Contains(text, "\n[x") {
		t.Errorf("a path got out of its link:\n%s", text)
	}
}
