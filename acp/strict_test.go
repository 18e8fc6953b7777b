package acp

import (
	"strings"
	"testing"
)

func TestStrictRefusesWhatTwoReadersCouldTakeDifferently(t *testing.T) {
	for _, c := range []struct {
		text, want string
		v          any
	}{
		{`{"sessionId":"s","path":"/a","path":"/etc/passwd"}`, "duplicate", new(ReadTextFileRequest)},
		{`{"sessionId":"s","path":"/a","p\u0061th":"/b"}`, "duplicate", new(ReadTextFileRequest)},
		{`{"sessionId":"s","path":"/a","PATH":"/etc/passwd"}`, "PATH is not written path", new(ReadTextFileRequest)},
		{`{"sessionId":"s","Path":"/a"}`, "Path is not written path", new(ReadTextFileRequest)},
		{`{"ſessionId":"s","path":"/a"}`, "is not written sessionId", new(ReadTextFileRequest)}, // U+017F folds to s
		{`{"sessionId":"s","command":"c","_META":{}}`, "_META is not written _meta", new(CreateTerminalRequest)},
		{`{"sessionId":"s","command":"c","env":[{"name":"a","value":"b","Value":"c"}]}`, "Value is not written value", new(CreateTerminalRequest)},
		// deep inside what is otherwise forgiven or kept raw
		{`{"sessionId":"s","options":[],"toolCall":{"toolCallId":"1","rawInput":{"a":[{"b":1,"b":2}]}}}`, "duplicate", new(RequestPermissionRequest)},
		{`{"sessionId":"s","options":[],"toolCall":{"toolCallId":"1","locations":[{"path":"/a","PATH":"/b"}]}}`, "PATH is not written path", new(RequestPermissionRequest)},
		{`{"sessionId":"s","options":[],"toolCall":{"toolCallId":"1","content":[{"type":"diff","Type":"content","path":"/a","newText":""}]}}`, "Type is not written type", new(RequestPermissionRequest)},
		{`{"sessionId":"s","options":[],"toolCall":{"toolCallId":"1","content":[{"Type":"diff"}]}}`, "", new(RequestPermissionRequest)},
		// other spellings
		{`{"optionId":"allow"}`, "member outcome is missing", new(RequestPermissionResponse)},
		{`{"outcome":"selected","optionId":"allow"}`, "member outcome is missing", new(RequestPermissionResponse)},
		{`{"path":"/a"}`, "member sessionId is missing", new(ReadTextFileRequest)},
		{`{"sessionId":"s","path":"/a"} {}`, "more than one value", new(ReadTextFileRequest)},
		{`{"sessionId":"s","path":"/a"`, "unexpected EOF", new(ReadTextFileRequest)},
	} {
		err := UnmarshalStrict([]byte(c.text), c.v)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.text, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\nhave %v\nwant %s", c.text, err, c.want)
		}
	}
}

func TestStrictTakesTheRealForm(t *testing.T) {
	r := new(RequestPermissionRequest)
	text := `{"sessionId":"s","toolCall":{"toolCallId":"1","kind":"edit","status":7,"rawInput":{"Path":"x","path":"y"}},"options":[{"optionId":"o","name":"n","kind":"allow_once","hint":"h"}],"vendor":{"X":1,"x":2}}`
	if err := UnmarshalStrict([]byte(text), r); err != nil {
		t.Fatal(err)
	}
	// A wrong optional member is forgiven here too; names are what must be clear.
	if r.ToolCall.Status != nil || string(r.ToolCall.RawInput) != `{"Path":"x","path":"y"}` || string(r.Extra) != `{"vendor":{"X":1,"x":2}}` {
		t.Errorf("have %+v", r)
	}
}

func TestRecordedMessagesAreStrict(t *testing.T) {
	for _, r := range recordings(t) {
		if strings.Contains(r.where, "permission") || strings.Contains(r.where, "fs/") || strings.Contains(r.where, "terminal/") {
			if err := UnmarshalStrict(r.payload, r.typ()); err != nil && string(r.payload) != "null" {
				t.Errorf("%s: %v\n%s", r.where, err, r.payload)
			}
		}
	}
}
