package clifront

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge"
)

// shown is what is on the screen after some updates.
func shown(updates ...acp.SessionUpdate) string {
	var out, notes bytes.Buffer
	f := New(Options{Stdout: &out, Stderr: &notes})
	for _, u := range updates {
		f.Show(context.Background(), &bridge.Message{Message: acp.NewUpdate("s", u)})
	}
	return notes.String()
}

// TestOutputOfACallThatIsTextIsPrinted: opencode, kilo, qwen-code and gemini-cli run commands themselves and tell what they printed as
// text, more of it each time. What a tool read is not printed, nor what comes from a terminal.
func TestOutputOfACallThatIsTextIsPrinted(t *testing.T) {
	running, done := acp.ToolCallStatusInProgress, acp.ToolCallStatusCompleted
	said := func(texts ...acp.ToolCallContent) []acp.ToolCallContent { return texts }
	one, both := &acp.Content{Content: acp.Text("one\n")}, &acp.Content{Content: acp.Text("one\ntwo\n")}
	call := func(kind acp.ToolKind, content ...acp.ToolCallContent) string {
		return shown(&acp.ToolCall{ToolCallID: "c1", Title: "make", Kind: &kind, Status: &running},
			&acp.ToolCallUpdate{ToolCallID: "c1", Status: &running, Content: said(one)},
			&acp.ToolCallUpdate{ToolCallID: "c1", Status: &done, Content: said(content...)})
	}
	if got := call(acp.ToolKindExecute, both); strings.Count(got, "│ one") != 1 || strings.Count(got, "│ two") != 1 {
		t.Errorf("a command shows %q", got)
	}
	if got := call(acp.ToolKindRead, both); strings.Contains(got, "│") {
		t.Errorf("a read shows %q", got)
	}
	if got := call(acp.ToolKindExecute, both, &acp.Terminal{TerminalID: "t"}); strings.Contains(got, "│") {
		t.Errorf("a terminal shows %q", got)
	}
}

// TestACallWithoutATitleShowsNoID: gemini-cli asks before it says what the call is.
func TestACallWithoutATitleShowsNoID(t *testing.T) {
	title, kind, done := "Edit a.txt", acp.ToolKindEdit, acp.ToolCallStatusCompleted
	late := shown(&acp.ToolCallUpdate{ToolCallID: "call-17"}, &acp.ToolCallUpdate{ToolCallID: "call-17", Title: &title, Status: &done})
	if strings.Contains(late, "call-17") || strings.Count(late, "• Edit a.txt") != 1 {
		t.Errorf("a title that comes late: %q", late)
	}
	if never := shown(&acp.ToolCallUpdate{ToolCallID: "call-17", Kind: &kind}, &acp.ToolCallUpdate{ToolCallID: "call-17", Status: &done}); strings.Contains(never, "call-17") || !strings.Contains(never, "✓ edit") {
		t.Errorf("no title: %q", never)
	}
}
