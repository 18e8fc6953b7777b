package conversation

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// UsageOf is the agent's usage object in a prompt's answer: an extension until ACP v1 has it.
func UsageOf(r *acp.PromptResponse) []byte {
	var extra map[string]jsontext.Value
	if len(r.Extra) == 0 || json.Unmarshal(r.Extra, &extra) != nil {
		return nil
	}
	return extra["usage"]
}
