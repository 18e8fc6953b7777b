package acp

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// The schema marks members that are read as absent when they are wrong, and lists whose wrong elements are left out.
func TestWrongOptionalMembersAreAsIfAbsent(t *testing.T) {
	u := read[ToolCallUpdate](t, `{"toolCallId":"1","kind":5,"status":{},"title":[],"content":"none","locations":[{"path":"/a","line":-1},{"line":3},7,{"path":"/b","line":9}],"_meta":"x"}`)
	want := &ToolCallUpdate{ToolCallID: "1", Locations: []ToolCallLocation{{Path: "/a"}, {Path: "/b", Line: ptr(uint32(9))}}}
	if diff := cmp.Diff(want, u); diff != "" {
		t.Error(diff)
	}

	caps := read[AgentCapabilities](t, `{"loadSession":"yes","promptCapabilities":7,"sessionCapabilities":{"list":{},"close":[]}}`)
	if diff := cmp.Diff(&AgentCapabilities{SessionCapabilities: SessionCapabilities{List: &SessionListCapabilities{}}}, caps); diff != "" {
		t.Error(diff)
	}

	plan := read[Plan](t, `{"entries":[{"content":"a","priority":"high","status":"pending"},{"priority":"high","status":"pending"},null]}`)
	if len(plan.Entries) != 1 {
		t.Errorf("have %+v", plan.Entries)
	}
}

func TestNullIsAbsenceWhereTheSchemaAllowsIt(t *testing.T) {
	r := read[CreateTerminalRequest](t, `{"sessionId":"s","command":"c","args":null,"env":null,"cwd":null,"outputByteLimit":null}`)
	if diff := cmp.Diff(&CreateTerminalRequest{SessionID: "s", Command: "c"}, r); diff != "" {
		t.Error(diff)
	}
	n := read[NewSessionRequest](t, `{"cwd":"/w","mcpServers":null}`)
	if got, want := written(t, n), `{"cwd":"/w","mcpServers":[]}`; got != want {
		t.Errorf("have %s, want %s", got, want)
	}
	for _, method := range []string{MethodFSWriteTextFile, MethodSessionLoad, MethodTerminalKill, MethodTerminalRelease, MethodAuthenticate, MethodSessionSetMode} {
		v := newResult(method)
		if err := Unmarshal([]byte("null"), v); err != nil {
			t.Errorf("%s: null as an empty result: %v", method, err)
		} else if got := written(t, v); got != "{}" {
			t.Errorf("%s: have %s, want {}", method, got)
		}
	}
}

func TestBadElementsOfUnmarkedListsAreErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		v    any
	}{
		{`{"sessionId":"s","command":"c","args":[1]}`, new(CreateTerminalRequest)},
		{`{"sessionId":"s","command":"c","env":[{"name":"a"}]}`, new(CreateTerminalRequest)},
		{`{"cwd":"/w","mcpServers":[{"type":"http"}]}`, new(NewSessionRequest)},
		{`{"sessionId":"s","prompt":[{"type":"text"}]}`, new(PromptRequest)},
		{`{"sessionId":"s","prompt":null}`, new(PromptRequest)},
		{`{"protocolVersion":70000}`, new(InitializeRequest)},
		{`{"protocolVersion":1.5}`, new(InitializeRequest)},
	} {
		if err := Unmarshal([]byte(c.text), c.v); err == nil {
			t.Errorf("%s: no error", c.text)
		}
	}
}

func TestWrongLineNumbersOfAReadAreAsIfAbsent(t *testing.T) {
	r := read[ReadTextFileRequest](t, `{"sessionId":"s","path":"/a","line":-3,"limit":"ten"}`)
	if diff := cmp.Diff(&ReadTextFileRequest{SessionID: "s", Path: "/a"}, r); diff != "" {
		t.Error(diff)
	}
}

func TestOfTwoMembersWithOneNameTheLastCounts(t *testing.T) {
	if v := read[TextContent](t, `{"text":"a","text":"b"}`); v.Text != "b" {
		t.Errorf("have %q", v.Text)
	}
	if v := read[TextContent](t, `{"te\u0078t":"a"}`); v.Text != "a" {
		t.Errorf("have %q", v.Text)
	}
	if v := read[TextContent](t, `{"text":"a","Text":"b"}`); v.Text != "a" || string(v.Extra) != `{"Text":"b"}` {
		t.Errorf("have %+v", v)
	}
}

func TestNothingDecodedSharesTheInput(t *testing.T) {
	data := []byte(`{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"abc","title":"t","rawInput":{"a":1},"x":2},"_meta":{"y":3}}`)
	var n SessionNotification
	if err := Unmarshal(data, &n); err != nil {
		t.Fatal(err)
	}
	clear(data)
	want := SessionNotification{
		SessionID: "s", Meta: jsontext.Value(`{"y":3}`),
		Update: &ToolCall{ToolCallID: "abc", Title: "t", RawInput: jsontext.Value(`{"a":1}`), Extra: jsontext.Value(`{"x":2}`)},
	}
	if diff := cmp.Diff(want, n); diff != "" {
		t.Error(diff)
	}
}
