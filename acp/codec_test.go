package acp

import (
	stdjson "encoding/json"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func ptr[T any](v T) *T { return &v }

// read decodes into a new T.
func read[T any](t *testing.T, data string) *T {
	t.Helper()
	v := new(T)
	if err := Unmarshal([]byte(data), v); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return v
}

// written encodes.
func written(t *testing.T, v any) string {
	t.Helper()
	out, err := Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestUnknownThingsPassByteForByte(t *testing.T) {
	for _, text := range []string{
		// unknown variants
		`{"sessionId":"s","update":{"sessionUpdate":"_vendor.thing","z":1, "a":[ 1,2 ],"big":9223372036854775807}}`,
		`{"sessionId":"s","update":{"n":18446744073709551615,"sessionUpdate":"subagent_update"}}`,
		`{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"hologram","b":1.50,"a":1e400}}}`,
		`{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"1","title":"t","content":[{"type":"chart","rows":[]}]}}`,
		`{"outcome":{"outcome":"_later","until":"tomorrow"}}`,
		// unknown members, in their order, with 64-bit numbers and odd spellings
		`{"sessionId":"s","update":{"sessionUpdate":"usage_update","used":1,"size":2,"z":12345678901234567890,"a":"\u0041\/","_x":null}}`,
		`{"sessionId":"s","update":{"sessionUpdate":"plan","entries":[]},"_meta":{"z":1,"a":9007199254740993,"traceparent":"00-\u0030"}}`,
		// raw values of a tool call
		`{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"1","rawInput":{"z":9223372036854775807,"a":1.0},"rawOutput":[ null ]}}`,
		`{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"1","rawInput":null}}`,
	} {
		var v any = new(SessionNotification)
		if strings.HasPrefix(text, `{"outcome`) {
			v = new(RequestPermissionResponse)
		}
		if err := Unmarshal([]byte(text), v); err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := written(t, v); got != text {
			t.Errorf("have %s\nwant %s", got, text)
		}
	}
}

func TestUnionsDecodeToTheirVariants(t *testing.T) {
	n := read[SessionNotification](t, `{"sessionId":"s","update":{"content":{"text":"hi","type":"text"},"messageId":"m","sessionUpdate":"agent_thought_chunk"}}`)
	want := &SessionNotification{SessionID: "s", Update: &AgentThoughtChunk{ContentChunk{Content: Text("hi"), MessageID: ptr(MessageID("m"))}}}
	if diff := cmp.Diff(want, n); diff != "" {
		t.Error(diff)
	}
	if got := Kind(n.Update); got != "agent_thought_chunk" {
		t.Errorf("Kind = %q", got)
	}

	var servers []MCPServer
	if err := Unmarshal([]byte(`[{"name":"a","command":"c","args":[],"env":[]},{"type":"http","name":"b","url":"u","headers":[]},{"type":"carrier-pigeon"}]`), &servers); err != nil {
		t.Fatal(err)
	}
	wantServers := []MCPServer{
		&MCPServerStdio{Name: "a", Command: "c", Args: []string{}, Env: []EnvVariable{}},
		&MCPServerHTTP{Name: "b", URL: "u", Headers: []HTTPHeader{}},
		&Unknown{Kind: "carrier-pigeon", Raw: jsontext.Value(`{"type":"carrier-pigeon"}`)},
	}
	if diff := cmp.Diff(wantServers, servers); diff != "" {
		t.Error(diff)
	}

	var block ContentBlock
	if err := Unmarshal([]byte(`{"type":"resource","resource":{"uri":"file:///a","text":"x"}}`), &block); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ContentBlock(&EmbeddedResource{Resource: &TextResourceContents{URI: "file:///a", Text: "x"}}), block); diff != "" {
		t.Error(diff)
	}
}

func TestVariantsCarryTheirTagWhereverTheyAreWritten(t *testing.T) {
	for want, v := range map[string]any{
		`{"type":"text","text":"hi"}`:                                  Text("hi"),
		`{"sessionUpdate":"tool_call_update","toolCallId":"1"}`:        &ToolCallUpdate{ToolCallID: "1"},
		`{"name":"a","command":"c","args":[],"env":[]}`:                &MCPServerStdio{Name: "a", Command: "c"},
		`{"type":"sse","name":"a","url":"u","headers":[]}`:             MCPServerSSE{Name: "a", URL: "u"},
		`{"outcome":{"outcome":"cancelled"}}`:                          &RequestPermissionResponse{Outcome: &CancelledPermissionOutcome{}},
		`{"sessionId":"s","toolCall":{"toolCallId":"1"},"options":[]}`: &RequestPermissionRequest{SessionID: "s", ToolCall: ToolCallUpdate{ToolCallID: "1"}},
	} {
		if got := written(t, v); got != want {
			t.Errorf("have %s\nwant %s", got, want)
		}
		// Other encoders see the same object.
		for name, marshal := range map[string]func(any) ([]byte, error){
			"encoding/json": stdjson.Marshal,
			"json v2":       func(v any) ([]byte, error) { return json.Marshal(v) },
		} {
			if got, err := marshal(map[string]any{"v": v}); err != nil || string(got) != `{"v":`+want+`}` {
				t.Errorf("%s: %s, %v", name, got, err)
			}
		}
	}
}

func TestNullableTellsNullFromAbsence(t *testing.T) {
	for _, text := range []string{`{"sessionUpdate":"session_info_update"}`, `{"sessionUpdate":"session_info_update","title":null}`, `{"sessionUpdate":"session_info_update","title":"t","updatedAt":null}`} {
		if got := written(t, read[SessionInfoUpdate](t, text)); got != text {
			t.Errorf("have %s, want %s", got, text)
		}
	}
	u := read[CompactionUpdate](t, `{"compactionId":"c","status":"failed","summary":[],"error":null}`)
	if s, ok := u.Summary.Get(); !ok || len(s) != 0 || !u.Error.IsNull() {
		t.Errorf("have %+v", u)
	}
	if n := Some(3); n.IsNull() || !n.Present {
		t.Error("Some is a value")
	}
	if _, ok := Null[int]().Get(); ok || (Nullable[int]{}).IsNull() {
		t.Error("Null is no value, and the zero Nullable is not null")
	}
}

func TestWhatIsWrittenStaysOnOneLine(t *testing.T) {
	v := &ToolCallUpdate{ToolCallID: "1", RawInput: jsontext.Value("{\n  \"a\": \"x\\ny\"\r\n}"), Extra: jsontext.Value("{\n\"b\": 1 }"), Title: ptr("two\nlines")}
	if got, want := written(t, v), `{"sessionUpdate":"tool_call_update","toolCallId":"1","title":"two\nlines","rawInput":{"a":"x\ny"},"b":1}`; got != want {
		t.Errorf("have %s\nwant %s", got, want)
	}
}

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	for name, v := range map[string]any{
		"raw value is not valid JSON":          &ToolCallUpdate{RawInput: jsontext.Value(`{"a":`)},
		"raw value is not valid JSON:":         &ToolCallUpdate{RawInput: jsontext.Value(`{}, "sessionId":"x"`)},
		"extra members must be an object":      &ToolCallUpdate{Extra: jsontext.Value(`[1]`)},
		"the SessionUpdate is nil":             &SessionNotification{},
		"the SessionConfigValue is nil":        &SetSessionConfigOptionRequest{},
		"encode *acp.SetSessionConfigOptionRe": SetSessionConfigOptionRequest{},
	} {
		if out, err := Marshal(v); err == nil || !strings.Contains(err.Error(), strings.TrimSuffix(name, ":")) {
			t.Errorf("%s: have %s, %v", name, out, err)
		}
	}
}

func TestTextThatIsNoUTF8BecomesReplacementCharacters(t *testing.T) {
	v := read[TextContent](t, "{\"text\":\"a\xffb\\ud800c\\ud83d\\ude00\"}")
	if want := "a\uFFFDb\uFFFDc\U0001F600"; v.Text != want {
		t.Errorf("have %q, want %q", v.Text, want)
	}
	if got, want := written(t, Text("a\xffb")), `{"type":"text","text":"a`+"\uFFFD"+`b"}`; got != want {
		t.Errorf("have %s, want %s", got, want)
	}
}

func TestDecodeErrorsSayWhereAndWhat(t *testing.T) {
	for text, want := range map[string]string{
		`{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":5}}}`: "/update/content/text: want a string, have a number",
		`{"sessionId":7}`:    "/sessionId: want a string, have a number",
		`{"sessionId":"s"}`:  "member update is missing",
		`{"sessionId":"s",}`: "want a string",
		`[]`:                 "want an object, have an array",
		``:                   "want an object, have the end of the input",
		`{"sessionId":"s","update":{"sessionUpdate":"plan","entries":[]}} 5`: "more than one value",
		`{"sessionId":"s","update":null}`:                                    "/update: want an object, have null",
	} {
		err := Unmarshal([]byte(text), new(SessionNotification))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\nhave %v\nwant %s", text, err, want)
		}
	}
}

func TestElicitationsRoundTrip(t *testing.T) {
	for _, text := range []string{
		`{"message":"m","mode":"form","requestedSchema":{"type":"object","properties":{"a":{"type":"string","minLength":1,"oneOf":[{"const":"x","title":"X"}]},"b":{"type":"array","items":{"type":"string","enum":["1"]}},"c":{"type":"array","items":{"anyOf":[]}},"d":{"type":"color","x":1}},"required":["a"]},"sessionId":"s","toolCallId":"t"}`,
		`{"message":"m","mode":"url","elicitationId":"e","url":"https://x","requestId":7,"_meta":{"a":1}}`,
		`{"message":"m","mode":"_voice","requestId":"q","language":"en"}`,
	} {
		if got := written(t, read[CreateElicitationRequest](t, text)); got != text {
			t.Errorf("have %s\nwant %s", got, text)
		}
	}
	for _, text := range []string{`{"action":"accept","content":{"a":"x","n":9223372036854775807,"s":["x","y"]}}`, `{"action":"decline"}`, `{"action":"cancel","_meta":{}}`, `{"action":"_later","when":3}`} {
		if got := written(t, read[CreateElicitationResponse](t, text)); got != text {
			t.Errorf("have %s\nwant %s", got, text)
		}
	}
}

func TestConfigOptionsRoundTrip(t *testing.T) {
	for _, text := range []string{
		`{"id":"model","name":"Model","category":"model","type":"select","currentValue":"a","options":[{"value":"a","name":"A"}]}`,
		`{"id":"model","name":"Model","type":"select","currentValue":"a","options":[{"group":"g","name":"G","options":[{"value":"a","name":"A"}]}],"_meta":{"x":1}}`,
		`{"id":"yolo","name":"Yolo","description":"d","type":"boolean","currentValue":false}`,
		`{"id":"temp","name":"Temp","type":"slider","min":0,"max":1,"currentValue":0.5,"options":[]}`,
	} {
		if got := written(t, read[SessionConfigOption](t, text)); got != text {
			t.Errorf("have %s\nwant %s", got, text)
		}
	}
	grouped := read[SessionConfigOption](t, `{"id":"m","name":"M","type":"select","currentValue":"a","options":[{"group":"g","name":"G","options":[{"value":"a","name":"A"}]},{"group":"h","name":"H","options":[{"value":"b","name":"B"}]}]}`)
	if all := grouped.Variant.(*SessionConfigSelect).Options.All(); len(all) != 2 || all[1].Value != "b" {
		t.Errorf("All = %v", all)
	}
	for _, text := range []string{`{"sessionId":"s","configId":"c","value":"v"}`, `{"sessionId":"s","configId":"c","type":"boolean","value":true}`} {
		if got := written(t, read[SetSessionConfigOptionRequest](t, text)); got != text {
			t.Errorf("have %s\nwant %s", got, text)
		}
	}
}

func TestTheKindIsTheOneOnTheWire(t *testing.T) {
	for _, u := range []SessionUpdate{&AgentMessageChunk{ContentChunk{Content: Text("x")}}, &AgentThoughtChunk{ContentChunk{Content: Text("x")}}, &UserMessageChunk{ContentChunk{Content: Text("x")}}, &Plan{}, &ToolCall{ToolCallID: "c", Title: "t"}} {
		raw, err := Marshal(u)
		if err != nil {
			t.Fatal(err)
		}
		if kind, ok := StringOf(Member(raw, "sessionUpdate")); !ok || kind != Kind(u) {
			t.Errorf("%T is %q, on the wire %q", u, Kind(u), kind)
		}
	}
}
