package calls

import (
	"encoding/json"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// An editor that speaks ACP shows the content as it is, so the user's sentence stands before what is for the model, in a call of
// ours that was not done and in no other.
func TestTheUsersSentenceIsFirstInTheContent(t *testing.T) {
	const model = `[{"type":"content","content":{"type":"text","text":"for the model"}}]`
	for name, c := range map[string]struct {
		use  *Use
		want []string
	}{
		"ours":                      {&Use{No: "Rejected", NoFirst: true}, []string{"Rejected", "for the model"}},
		"ours, of a plugin":         {&Use{No: "Rejected"}, []string{"for the model"}},
		"ours, done":                {&Use{NoFirst: true}, []string{"for the model"}},
		"a tool of the agent's own": {nil, []string{"for the model"}},
	} {
		call := &Call{Done: true, Use: c.use}
		params := jsontext.Value(`{"sessionId":"s1","update":{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"failed","content":` + model + `}}`)
		if call.Adds(&acp.ToolCallUpdate{}) {
			params = call.Added(params)
		}
		var got struct {
			Update struct {
				Content []struct{ Content struct{ Text string } }
			}
		}
		if err := json.Unmarshal(params, &got); err != nil {
			t.Fatalf("%s: %v in %s", name, err, params)
		}
		var texts []string
		for _, b := range got.Update.Content {
			texts = append(texts, b.Content.Text)
		}
		if len(texts) != len(c.want) || texts[0] != c.want[0] {
			t.Errorf("%s: %q", name, texts)
		}
	}
}
