package session

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/permission/meaning"
)

// TestAnUpdateIsReadAsTheEditorReadsIt: a kind in escapes is the same kind.
func TestAnUpdateIsReadAsTheEditorReadsIt(t *testing.T) {
	for params, want := range map[string]struct{ teaches, readable bool }{
		`{"sessionId":"s","update":{"sessionUpdate":"tool\u005fcall_update","toolCallId":"c","title":"x"}}`:               {true, true},
		`{"update":{"sessionUpdate":"tool_call","toolCallId":7}}`:                                                         {true, false},
		`{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"tool_call"}}}`: {false, true},
	} {
		m := acp.NewMessage(acp.MethodSessionUpdate, jsontext.Value(params))
		if got := teaches(m); got != want.teaches || (m.Update() != nil) != want.readable {
			t.Errorf("%s: teaches %v, read as %v", params, got, m.Update())
		}
	}
}

// TestTheFilesOfACallAreShownInPart: what one call names is bounded before it is passed on.
func TestTheFilesOfACallAreShownInPart(t *testing.T) {
	st := newLane().st
	shown := 0
	for _, e := range st.step(messageIn{msg: acp.NewUpdate("s", &acp.ToolCall{ToolCallID: "c", Locations: make([]acp.ToolCallLocation, 5_000)})}) {
		if ev, ok := e.(emit); ok {
			u, ok := ev.ev.(*Message)
			if !ok {
				continue // the turn in which it is made
			}
			if shown++; len(u.Paths) > meaning.MaxFiles || len(u.Update().(*acp.ToolCall).Locations) > meaning.MaxFiles {
				t.Errorf("%d paths are shown", len(u.Paths))
			}
		}
	}
	if shown != 1 {
		t.Errorf("%d messages", shown)
	}
}
