package lspfront

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
	"github.com/copilot-bridge/copilot-bridge/bridge/tools"
)

// metaKey is our member of the _meta of ACP's values.
const metaKey = "copilot-bridge"

// wireMeta is what of the _meta of an ACP value is ours.
//
//wire:as Meta
type wireMeta struct {
	Bridge remarks `json:"copilot-bridge,omitzero"`
}

// remarks are the bridge's on an update.
type remarks struct {
	Cancelled  bool           `json:"cancelled,omitzero"`                          // the turn was cancelled before the call had ended
	Message    string         `json:"message,omitzero"`                            // why the call was not done, for the user; its content is for the model
	TerminalID string         `json:"terminalId,omitzero"`                         // where a command of the bridge's own tools runs
	Tool       string         `json:"tool,omitzero"`                               // the editor tool that the call's title names
	ExitStatus jsontext.Value `json:"exitStatus,omitzero" as:"TerminalExitStatus"` // the last line of the call's text says the same in words
	Notice     *noticeRemark  `json:"notice,omitzero"`
}

// noticeRemark marks text that the agent itself said and not the model.
type noticeRemark struct {
	Kind  copilot.NoticeKind `json:"kind" enum:"info,warning,error"`
	Topic copilot.Topic      `json:"topic,omitzero" enum:"tools,cancelled,file,retry,model,sign-in,cut-off"`
	Text  string             `json:"text,omitzero"` // without the first word, which says the kind; left out where the chunk is only a part of it
}

var _ wireMeta // the generator alone reads it: package bridge writes most of it

// remarked is an update as it is on the wire, with what the bridge knows of a tool call: clients need not read titles and results
// for it.
func remarked(u acp.SessionUpdate) jsontext.Value {
	value, call := raw(u), acp.CallOf(u)
	if call == nil {
		return value
	}
	if call.Title != nil {
		if name := tools.NameIn(*call.Title); name != "" {
			value = remark(value, "tool", name)
		}
	}
	if code, ok := copilot.ShellExit(call.LastText()); ok {
		value = remark(value, "exitStatus", &acp.TerminalExitStatus{ExitCode: &code})
	}
	return value
}

// remark adds a member to the bridge's remarks on an update. A _meta of the agent's stays.
func remark(update jsontext.Value, name string, v any) jsontext.Value {
	value, err := marshal(v)
	if err != nil {
		return update
	}
	return acp.SetWithin(update, []string{"_meta", metaKey}, name, jsontext.Value(value))
}
