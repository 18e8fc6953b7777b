package transcript

import (
	"slices"
	"strings"
	"testing"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

func asks(turn, text string) conversation.Said {
	return conversation.Said{Turn: turn, Prompt: []acp.ContentBlock{acp.Text(text)}}
}

func answers(turn, text string) conversation.Said {
	return conversation.Said{Turn: turn, Update: &acp.AgentMessageChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(text)}}}
}

// TestWhatTheModelIsToldOfAConversation: what of it counts, and in which words.
func TestWhatTheModelIsToldOfAConversation(t *testing.T) {
	done, under := acp.ToolCallStatusCompleted, acp.ToolCallStatusInProgress
	text := func(s string) []acp.ToolCallContent { return []acp.ToolCallContent{&acp.Content{Content: acp.Text(s)}} }
	called := func(turn, id string) conversation.Said {
		return conversation.Said{Turn: turn, Update: &acp.ToolCall{ToolCallID: acp.ToolCallID(id), Title: "view", Status: &under, RawInput: []byte(`{"path":"` + id + `"}`)}}
	}
	answered := func(turn, id, s string) conversation.Said {
		return conversation.Said{Turn: turn, Update: &acp.ToolCallUpdate{ToolCallID: acp.ToolCallID(id), Status: &done, Content: text(s)}}
	}
	notice := conversation.MarkNotice(&acp.AgentMessageChunk{ContentChunk: acp.ContentChunk{Content: acp.Text("Info: x")}}, copilot.Notice{Kind: copilot.NoticeInfo})
	user := func(turn, s string) conversation.Said {
		return conversation.Said{Turn: turn, Update: &acp.UserMessageChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(s)}}}
	}
	for name, c := range map[string]struct {
		said []conversation.Said
		want string
	}{
		"a replay of an agent": {[]conversation.Said{user("", "a"), answers("", "b\n\n"), user("", "c"), asks("1", "d")}, "User: a\nAssistant: b\nUser: c\nUser: d\n"},
		"an echo of a prompt":  {[]conversation.Said{asks("1", "a"), user("1", "a"), answers("1", "b")}, "User: a\nAssistant: b\n"},
		"a remark, a thought, a plan": {[]conversation.Said{asks("1", "a"), {Turn: "1", Update: notice}, {Turn: "1", Update: &acp.Plan{}},
			{Turn: "1", Update: &acp.AgentThoughtChunk{ContentChunk: acp.ContentChunk{Content: acp.Text("hm")}}}}, "User: a\n"},
		"tools side by side": {[]conversation.Said{asks("1", "a"), called("1", "x"), called("1", "y"), answered("1", "y", "Y"), answered("1", "x", "X"), answered("1", "x", "twice"), answered("1", "who", "?")},
			"User: a\nTool call: view {\"path\":\"x\"}\nTool result: X\nTool call: view {\"path\":\"y\"}\nTool result: Y\n"},
		"a tool that ends after its turn":  {[]conversation.Said{asks("1", "a"), called("1", "x"), asks("2", "b"), answered("1", "x", "X"), answers("2", "c")}, "User: a\nTool call: view {\"path\":\"x\"}\nTool result: X\nUser: b\nAssistant: c\n"},
		"added while it ran":               {[]conversation.Said{asks("1", "a"), called("1", "x"), asks("1", "b"), answers("1", "c")}, "User: a\nTool call: view {\"path\":\"x\"}\nUser: b\nAssistant: c\n"},
		"in other words":                   {[]conversation.Said{asks("1", "a"), {Turn: "1", Sent: &conversation.Sent{Text: "a and a file"}}, answers("1", "b")}, "User: a and a file\nAssistant: b\n"},
		"again, in other words":            {[]conversation.Said{asks("1", "a"), asks("2", "a"), {Turn: "2", Sent: &conversation.Sent{Text: "a, another file", Again: true}}}, "User: a, another file\n"},
		"again, and again":                 {[]conversation.Said{asks("1", "a"), asks("2", "a"), asks("3", "a"), answers("3", "b")}, "User: a\nAssistant: b\n"},
		"not again":                        {[]conversation.Said{asks("1", "a"), answers("1", "b"), asks("2", "a"), asks("3", "c")}, "User: a\nAssistant: b\nUser: a\nUser: c\n"},
		"a command":                        {[]conversation.Said{asks("1", "a"), asks("2", "/compact x"), answers("2", "Compacted"), asks("3", "/compacting")}, "User: a\nUser: /compacting\n"},
		"a command that was told in words": {[]conversation.Said{asks("1", "/compact"), {Turn: "1", Sent: &conversation.Sent{Text: "undone: x\n/compact"}}, answers("1", "?")}, "User: undone: x\n/compact\nAssistant: ?\n"},
	} {
		h := &history{}
		for _, s := range c.said {
			h.add(s)
		}
		h.leave()
		var b strings.Builder
		for _, m := range h.messages {
			m.parts(func(s string) { b.WriteString(s) })
		}
		if b.String() != c.want {
			t.Errorf("%s: %q, want %q", name, b.String(), c.want)
		}
	}
}

// TestAProgramThatHeardAMessageIsNotToldItTwice: one that was sent again takes the place of the first, for a program too
// that knows the first.
func TestAProgramThatHeardAMessageIsNotToldItTwice(t *testing.T) {
	h := &history{}
	for _, s := range []conversation.Said{asks("1", "a"), answers("1", "b"), asks("2", "c"), asks("3", "c")} {
		h.add(s)
	}
	h.leave()
	for known, want := range map[string][]string{"1": {"c"}, "2": nil, "3": nil, "": {"a", "b", "c"}} {
		_, messages := h.after(known)
		var got []string
		for _, m := range messages {
			got = append(got, m.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("it knows %q: %q", known, got)
		}
	}
}
