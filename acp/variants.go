package acp

import "github.com/go-json-experiment/json/jsontext"

// Other spellings that agents, clients and documents are known to use for members of the protocol. Each is read only
// where the real one is not there, never in strict decoding, and never written. Those that are only another name are tags
// of the types ([fieldTag]); those here need more: see aliasDecoder and missingFiller.

// Two public agents say embeddedContent, one of them beside the real name.
func (v *PromptCapabilities) decodeAlias(d *decoder) bool {
	if string(d.name) != "embeddedContent" {
		return false
	}
	at := d.pos
	also := d.flag()
	d.forgive(at)
	v.EmbeddedContext = v.EmbeddedContext || also
	return true
}

// A tool call without a title is shown under its name or its id.
func (v *ToolCall) fillMissing(member string) bool {
	if member != "title" {
		return false
	}
	v.Title = string(v.ToolCallID)
	if v.Name != nil {
		v.Title = *v.Name
	}
	return v.Title != ""
}

// decode reads a status, also those of the first description of Copilot's ACP server. A status cancelled stays what it
// is: version 1 has no other word for it.
func (s *ToolCallStatus) decode(d *decoder) {
	switch *s = ToolCallStatus(d.text()); *s {
	case "running":
		*s = ToolCallStatusInProgress
	case "error":
		*s = ToolCallStatusFailed
	}
}

// The example of the specification's page on session modes has a bare block where content should be wrapped.
func decodeToolCallContentAlias(d *decoder, kind string, to *ToolCallContent) bool {
	switch kind {
	case "text", "image", "audio", "resource_link", "resource":
	default:
		return false
	}
	v := new(Content)
	d.value(&v.Content)
	*to = v
	return true
}

// A plan with an identity, from the draft on plan operations, is a plan if it is a list of entries. The identity stays in
// Extra.
func decodeSessionUpdateAlias(d *decoder, kind string, to *SessionUpdate) bool {
	if kind != "plan_update" {
		return false
	}
	at := d.pos
	var plan *Plan
	var meta jsontext.Value
	for ok := d.open(); ok; ok = d.next() {
		inner, _ := d.tag("type")
		switch {
		case string(d.name) == "plan" && string(inner) == "items":
			plan = new(Plan)
			d.value(plan)
		case string(d.name) == "_meta":
			meta = d.raw()
		default:
			d.skip()
		}
	}
	if plan == nil || d.err != nil {
		d.err, d.pos = nil, at
		return false
	}
	if plan.Meta == nil {
		plan.Meta = meta
	}
	*to = plan
	return true
}

// Terminals: the exit status is nested in the output and flat in the answer to a wait, and sometimes the other way round.
func (v *TerminalOutputResponse) decodeAlias(d *decoder) bool {
	name, at := string(d.name), d.pos
	if name != "exitCode" && name != "signal" {
		return false
	}
	if d.null() {
		return true
	}
	status := v.ExitStatus
	if status == nil {
		status = new(TerminalExitStatus)
	}
	if name == "exitCode" {
		d.value(&status.ExitCode)
	} else {
		d.value(&status.Signal)
	}
	if !d.forgive(at) {
		v.ExitStatus = status
	}
	return true
}

func (v *WaitForTerminalExitResponse) decodeAlias(d *decoder) bool {
	if string(d.name) != "exitStatus" {
		return false
	}
	at := d.pos
	if d.null() {
		return true
	}
	var status TerminalExitStatus
	d.value(&status)
	if !d.forgive(at) && v.ExitCode == nil && v.Signal == nil {
		v.ExitCode, v.Signal = status.ExitCode, status.Signal
	}
	return true
}
