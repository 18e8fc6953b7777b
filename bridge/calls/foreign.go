package calls

import (
	"cmp"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/terminalproxy"
)

// Some agents run commands themselves and show them as terminals that the client never made: a tool call has content
// {"type":"terminal"} with an id of theirs, and the output comes in the _meta of its updates. The keys are a
// convention of Zed's (codex-acp 2.6, pi-acp 0.0.34, claude-agent-acp).

// terminalMeta is what such a _meta may hold.
type terminalMeta struct {
	Output *foreignData `json:"terminal_output"`
	Delta  *foreignData `json:"terminal_output_delta"`
	Exit   *foreignExit `json:"terminal_exit"`
}

type foreignData struct {
	ID   string `json:"terminal_id"`
	Data string `json:"data"`
}

type foreignExit struct {
	ID     string  `json:"terminal_id"`
	Code   *int64  `json:"exit_code"`
	Signal *string `json:"signal"`
}

// ForeignOutput is output of a terminal that the agent runs itself, or its end.
type ForeignOutput struct {
	Terminal, Data string
	Exit           *terminalproxy.Exit
}

// Foreign reads the output of such terminals from a tool call's _meta; without an id it is the call's own. What cannot be read is
// left alone.
func Foreign(call acp.ToolCallID, meta jsontext.Value) (out []ForeignOutput) {
	var m terminalMeta
	if len(meta) == 0 || json.Unmarshal(meta, &m) != nil {
		return nil
	}
	for _, d := range []*foreignData{m.Output, m.Delta} {
		if d != nil && d.Data != "" {
			out = append(out, ForeignOutput{Terminal: cmp.Or(d.ID, string(call)), Data: d.Data})
		}
	}
	if e := m.Exit; e != nil {
		exit := &terminalproxy.Exit{Signal: e.Signal}
		if e.Code != nil && *e.Code >= 0 && *e.Code <= 1<<32-1 {
			code := uint32(*e.Code)
			exit.Code = &code
		}
		out = append(out, ForeignOutput{Terminal: cmp.Or(e.ID, string(call)), Exit: exit})
	}
	return out
}
