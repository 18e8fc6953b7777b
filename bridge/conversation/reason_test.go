package conversation

import (
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// TestFailureReason has the shapes that Copilot, opencode and qwen-code use, and some that nobody should.
func TestFailureReason(t *testing.T) {
	for name, c := range map[string]struct{ update, want string }{
		"copilot":        {`"status":"failed","rawOutput":{"message":"The user rejected this tool call.","code":"rejected"}`, "The user rejected this tool call."},
		"content first":  {`"status":"failed","content":[{"type":"content","content":{"type":"text","text":"\nno such file\nat line 3"}}],"rawOutput":{"error":"other"}`, "no such file"},
		"opencode":       {`"status":"failed","rawOutput":{"error":"Tool execution aborted","metadata":{"interrupted":true}}`, "Tool execution aborted"},
		"error null":     {`"status":"failed","rawOutput":{"error":null,"text":"Command cancelled by user."}`, "Command cancelled by user."},
		"nested error":   {`"status":"failed","rawOutput":{"error":{"message":"deep"}}`, "deep"},
		"a string":       {`"status":"failed","rawOutput":"plain"`, "plain"},
		"a list":         {`"status":"failed","rawOutput":["plain"]`, ""},
		"empty content":  {`"status":"failed","content":[{"type":"content","content":{"type":"text","text":" "}}],"rawOutput":"behind"`, "behind"},
		"only a diff":    {`"status":"failed","content":[{"type":"diff","path":"/a","newText":"x"}]`, ""},
		"completed":      {`"status":"completed","rawOutput":{"message":"fine"}`, ""},
		"without status": {`"rawOutput":{"message":"fine"}`, ""},
	} {
		var n acp.SessionNotification
		params := `{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"c",` + c.update + `}}`
		if err := json.Unmarshal([]byte(params), &n); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := FailureReason("", n.Update); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
