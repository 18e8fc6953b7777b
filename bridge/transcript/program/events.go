package program

import (
	"bytes"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/acp/copilot"
)

// jsonOutput reads `--output-format json` (Copilot CLI 1.0.102): an event a line. Lines that are none are kept for the
// message about a failure; unknown events are left alone.
type jsonOutput struct {
	speech *speech
	stage  Stage
	o      *Outcome
	line   []byte
	skip   bool            // the rest of a line that is too long
	spoken map[string]bool // messages whose text has come in pieces
	calls  map[string]bool // tool calls that are open
	result chan struct{}   // closed when the last event has come
	server string          // the name of the editor tools, "" if there are none
}

func newJSONOutput(st Stage, o *Outcome, server string) *jsonOutput {
	return &jsonOutput{speech: newSpeech(st, o), stage: st, o: o, spoken: map[string]bool{}, calls: map[string]bool{}, server: server, result: make(chan struct{})}
}

func (j *jsonOutput) write(p []byte) {
	for len(p) > 0 {
		part, rest, whole := bytes.Cut(p, []byte{'\n'})
		if len(j.line)+len(part) > maxLine {
			j.line, j.skip = nil, true
		}
		if !j.skip {
			j.line = append(j.line, part...)
		}
		if whole {
			if !j.skip {
				j.event(j.line)
			}
			j.line, j.skip = j.line[:0], false
		}
		p = rest
	}
}

func (j *jsonOutput) over() <-chan struct{} { return j.result }

func (j *jsonOutput) done() {
	if !j.skip {
		j.event(j.line) // of a program that died in the middle of it
	}
	j.speech.end()
	for _, id := range slices.Sorted(maps.Keys(j.calls)) {
		j.closed(id, false, "the program ended before the tool had answered", nil)
	}
}

// printed is an event, with the members of all the kinds that are looked at.
type printed struct {
	Type string `json:"type"`
	Data struct {
		MessageID    string         `json:"messageId"`
		Delta        string         `json:"deltaContent"`
		Content      jsontext.Value `json:"content"`
		Parent       string         `json:"parentToolCallId"` // of a sub-agent's
		ToolCallID   string         `json:"toolCallId"`
		ToolName     string         `json:"toolName"`
		Arguments    jsontext.Value `json:"arguments"`
		Success      bool           `json:"success"`
		Result       *toolResult    `json:"result"`
		Error        jsontext.Value `json:"error"`
		Telemetry    telemetry      `json:"toolTelemetry"`
		ErrorType    string         `json:"errorType"`
		Message      string         `json:"message"`
		StatusCode   int            `json:"statusCode"`
		TokenLimit   int            `json:"tokenLimit"`
		TokensUsed   int            `json:"currentTokens"`
		InputTokens  int            `json:"inputTokens"`
		OutputTokens int            `json:"outputTokens"`
		ServerName   string         `json:"serverName"`
		Status       string         `json:"status"`
	} `json:"data"`
	SessionID string         `json:"sessionId"`
	ExitCode  int            `json:"exitCode"`
	Usage     jsontext.Value `json:"usage"`
}

type toolResult struct {
	Content string `json:"content"`
}

type telemetry struct {
	Metrics struct {
		Limit float64 `json:"context_token_limit"`
		Used  float64 `json:"context_current_tokens"`
	} `json:"metrics"`
}

func (j *jsonOutput) event(line []byte) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return
	}
	var e printed
	err := json.Unmarshal(line, &e, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if e.Type == "" {
		if room := maxStray - len(j.o.stray); room > 0 {
			j.o.stray += Clip(string(line), room-1) + "\n"
		}
		return
	}
	_ = err // one member of an unexpected shape does not make the others worthless
	d := &e.Data
	switch e.Type {
	case "user.message", "assistant.turn_start":
		j.o.Heard = true
	case "assistant.message_delta":
		if d.Parent == "" && d.Delta != "" {
			j.spoken[d.MessageID] = true
			j.say(d.MessageID, d.Delta)
		}
	case "assistant.reasoning_delta":
		if d.Parent == "" && d.Delta != "" {
			j.stage.update(&acp.AgentThoughtChunk{ContentChunk: acp.ContentChunk{Content: acp.Text(d.Delta)}})
		}
	case "assistant.message":
		var text string
		if d.Parent == "" && !j.spoken[d.MessageID] && json.Unmarshal(d.Content, &text) == nil && text != "" {
			j.say(d.MessageID, text)
		}
	case "tool.execution_start":
		j.opened(d.ToolCallID, d.ToolName, d.Arguments)
	case "tool.execution_complete":
		text := ""
		if d.Result != nil {
			text = d.Result.Content
		}
		if !d.Success {
			text = errorText(d.Error, text)
		}
		j.measured(int(d.Telemetry.Metrics.Used), int(d.Telemetry.Metrics.Limit))
		j.closed(d.ToolCallID, d.Success, text, d.Error)
	case "session.usage_info":
		j.measured(d.TokensUsed, d.TokenLimit)
	case "assistant.usage":
		j.measured(d.InputTokens+d.OutputTokens, 0)
	case "session.error":
		j.o.failure, j.o.errorType, j.o.status = d.Message, d.ErrorType, d.StatusCode
	case "session.info", "session.warning":
		text := "Info: " + d.Message + "\n" // as it says it over ACP
		if d.Message == "" || j.server != "" && copilot.AboutOurTools(text) {
			return // "Disabled tools: …" is our doing, in every turn
		}
		j.speech.end()
		if j.stage.Remark != nil {
			j.stage.Remark(text)
		}
	case "session.mcp_server_status_changed":
		if d.ServerName == j.server && j.server != "" && d.Status == "failed" {
			j.tell("tools_lost", "Copilot could not start the editor tools: it cannot read or change files in this turn")
		}
	case "result":
		j.o.Session, j.o.Usage = e.SessionID, e.Usage
		if !j.o.finished {
			j.o.finished, j.o.exitCode = true, e.ExitCode
			close(j.result)
		}
	}
}

func errorText(raw jsontext.Value, other string) string {
	var e struct {
		Message string `json:"message"`
	}
	if len(raw) > 0 && json.Unmarshal(raw, &e) == nil && e.Message != "" {
		return e.Message
	}
	return other
}

func (j *jsonOutput) say(id, text string) {
	if id != "" && (j.speech.id == nil || string(*j.speech.id) != id) {
		j.speech.end()
		j.speech.id = new(acp.MessageID(id))
	}
	j.speech.write([]byte(text))
}

func (j *jsonOutput) tell(kind, text string) {
	if j.stage.Tell != nil {
		j.stage.Tell(kind, text)
	}
}

func (j *jsonOutput) measured(used, size int) {
	if used <= 0 {
		return
	}
	j.o.Used = used
	if size > 0 {
		j.o.Window = size
	}
}

// opened shows a tool call as ACP would.
func (j *jsonOutput) opened(id, name string, args jsontext.Value) {
	if id == "" || j.calls[id] || len(j.calls) >= maxOpenCalls {
		return
	}
	j.speech.end()
	j.calls[id] = true
	j.o.Called, j.o.Heard = true, true
	j.o.Size += min(len(name)+len(args), ToolClip)
	j.stage.update(&acp.ToolCall{ToolCallID: acp.ToolCallID(id), Title: name, Kind: new(kindOf(name)), Status: new(acp.ToolCallStatusInProgress),
		RawInput: args, Locations: locations(args)})
}

func (j *jsonOutput) closed(id string, ok bool, text string, raw jsontext.Value) {
	if !j.calls[id] {
		return
	}
	delete(j.calls, id)
	status := acp.ToolCallStatusCompleted
	if !ok {
		status = acp.ToolCallStatusFailed
	}
	j.o.Size += min(len(text), ToolClip)
	u := &acp.ToolCallUpdate{ToolCallID: acp.ToolCallID(id), Status: &status}
	if text != "" {
		u.Content = []acp.ToolCallContent{&acp.Content{Content: acp.Text(Clip(text, maxToolResult))}}
	}
	if len(raw) > 0 {
		u.RawOutput = raw
	}
	j.stage.update(u)
}
