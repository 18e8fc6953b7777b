package acp

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestBothKindsOfAToolCallReadAlike: what either update says of a call is found in the same places.
func TestBothKindsOfAToolCallReadAlike(t *testing.T) {
	for _, kind := range []string{"tool_call", "tool_call_update"} {
		m := NewMessage(MethodSessionUpdate, jsontext.Value(`{"sessionId":"s","update":{"sessionUpdate":"`+kind+`","toolCallId":"c","title":"Edit","status":"failed",
			"rawInput":{"a":1},"rawOutput":"no","locations":[{"path":"/a","line":2}],"_meta":{"m":1},
			"content":[{"type":"content","content":{"type":"text","text":"one"}},{"type":"diff","path":"/a","newText":"n"},{"type":"content","content":{"type":"text","text":"two"}}]}}`))
		u := CallOf(m.Update())
		if u == nil || u.ToolCallID != "c" || u.Title == nil || *u.Title != "Edit" || u.Status == nil || *u.Status != ToolCallStatusFailed ||
			string(u.RawInput) != `{"a":1}` || string(u.RawOutput) != `"no"` || len(u.Locations) != 1 || string(u.Meta) != `{"m":1}` {
			t.Fatalf("%s: %+v", kind, u)
		}
		if u.LastText() != "two" {
			t.Errorf("%s: the last text is %q", kind, u.LastText())
		}
		if d, ok := u.Content[1].(*Diff); !ok || d.Old() != "" {
			t.Errorf("%s: a new file has a text before", kind)
		}
	}
	if CallOf(&Plan{}) != nil {
		t.Error("a plan is taken for a tool call")
	}
}

// TestMembersAtAPathAreSet: the objects on the way are made, and all else keeps its bytes.
func TestMembersAtAPathAreSet(t *testing.T) {
	for _, c := range []struct{ obj, want string }{
		{`{"x" : 1}`, `{"a":{"b":{"n":true}},"x" : 1}`},
		{`{"a":{"b":{"m" : 2}},"x":1}`, `{"a":{"b":{"n":true,"m" : 2}},"x":1}`},
		{`{"a":{"b":{"n":false}}}`, `{"a":{"b":{"n":true}}}`},
		{`{"a":null}`, `{"a":{"b":{"n":true}}}`},
	} {
		if got := SetWithin(jsontext.Value(c.obj), []string{"a", "b"}, "n", jsontext.Value("true")); string(got) != c.want {
			t.Errorf("%s became %s, want %s", c.obj, got, c.want)
		}
	}
}
