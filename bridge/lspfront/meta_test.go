package lspfront

import (
	"encoding/json"
	"testing"
)

// TestClientsNeedNotReadTitlesAndResults guards the bridge's remarks on updates: the tool, how its command ended, and what
// Copilot itself said, as members.
func TestClientsNeedNotReadTitlesAndResults(t *testing.T) {
	r := newRig(t, setup{rich: []string{"updates"}, script: `
expect@turn session/prompt
notify session/update {"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"c1","title":"mcp__editor__view","_meta":{"agents":1}}}
notify session/update {"sessionId":"s1","update":{"sessionUpdate":"tool_call","toolCallId":"c2","title":"bash"}}
notify session/update {"sessionId":"s1","update":{"sessionUpdate":"tool_call_update","toolCallId":"c2","status":"completed","content":[{"type":"content","content":{"type":"text","text":"no\n<shellId: 0 completed with exit code 3>"}}]}}
say Info: Request failed due to a transient API error. Retrying...
reply@turn {"stopReason":"end_turn"}
`})
	r.prompt("go")
	r.awaitSent(prefix+"turn/ended", 1)
	meta := map[string][]string{}
	for _, raw := range r.sent(prefix + "session/update") {
		var p struct {
			Update struct {
				SessionUpdate string
				ToolCallID    string
				Meta          json.RawMessage `json:"_meta"`
			}
		}
		if err := json.Unmarshal(raw, &p); err != nil {
			t.Fatal(err)
		}
		if p.Update.Meta != nil {
			key := p.Update.SessionUpdate + " " + p.Update.ToolCallID
			meta[key] = append(meta[key], string(p.Update.Meta))
		}
	}
	for key, want := range map[string]string{
		"tool_call c1":         `{"copilot-bridge":{"tool":"view"},"agents":1}`,
		"tool_call_update c2":  `{"copilot-bridge":{"exitStatus":{"exitCode":3}}}`,
		"agent_message_chunk ": `{"copilot-bridge":{"notice":{"kind":"info","topic":"retry","text":"Request failed due to a transient API error. Retrying..."}}}`,
	} {
		if got := meta[key]; len(got) == 0 || got[0] != want {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
	}
	if len(meta["tool_call c2"]) > 0 {
		t.Errorf("a tool of the agent's own: %s", meta["tool_call c2"])
	}
}

// TestAFailureThatTheAgentHasToldIsMarked guards that a client can leave out the end of a turn that repeats a notice, without a
// look at the texts.
func TestAFailureThatTheAgentHasToldIsMarked(t *testing.T) {
	r := newRig(t, setup{rich: []string{"updates"}, script: `
expect@one session/prompt
say Error: Failed to get response from the AI model; retried 5 times
reply@one {"stopReason":"end_turn"}
expect@two session/prompt
fail@two -32603 out of order
`})
	r.prompt("go")
	r.awaitSent(prefix+"turn/ended", 1)
	r.prompt("again")
	r.awaitSent(prefix+"turn/ended", 2)
	for i, want := range []bool{true, false} {
		var end turnEnded
		if err := json.Unmarshal(r.sent(prefix + "turn/ended")[i], &end); err != nil || end.Said != want || end.Error == nil || end.Error.Data.Reason == "" {
			t.Errorf("turn %d: %+v %v, want said %v and a reason", i+1, end, err, want)
		}
	}
}
