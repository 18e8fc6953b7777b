package acp

import "github.com/go-json-experiment/json/jsontext"

// Other spellings that agents, clients and documents are known to use for members of the protocol. Each is read only
// where the real one is not there, never in strict decoding, and never written.
//
// A respelt method is asked for the members that its type does not know, and consumes those that it understands. A
// respeltHas method is asked for a required member that did not come, and says whether something takes its place.

// The example of the specification's page on session modes has modeId.
func (v *CurrentModeUpdate) respelt(d *decoder) bool {
	if string(d.name) != "modeId" || v.CurrentModeID != "" {
		return false
	}
	decodeString(&v.CurrentModeID, d)
	return true
}

func (v *CurrentModeUpdate) respeltHas(string) bool { return v.CurrentModeID != "" }

// Third-party descriptions of the plan have steps with a title and a description.
func (v *Plan) respelt(d *decoder) bool {
	if string(d.name) != "steps" || v.Entries != nil {
		return false
	}
	decodeSliceLoose(d, &v.Entries, (*PlanEntry).decode)
	return true
}

func (v *PlanEntry) respelt(d *decoder) bool {
	if name := string(d.name); name != "title" && name != "description" || v.Content != "" {
		return false
	}
	decodeString(&v.Content, d)
	return true
}

// A step without a priority or a status is better shown than left out.
func (v *PlanEntry) respeltHas(member string) bool {
	switch member {
	case "priority":
		v.Priority = PlanEntryPriorityMedium
	case "status":
		v.Status = PlanEntryStatusPending
	default:
		return v.Content != ""
	}
	return true
}

// The first description of Copilot's ACP server has serverInfo and capabilities, as MCP does; version 2 has info.
func (v *InitializeResponse) respelt(d *decoder) bool {
	at := d.pos
	switch string(d.name) {
	case "serverInfo", "info":
		if v.AgentInfo != nil {
			return false
		}
		if !d.null() {
			decodeNew(d, &v.AgentInfo, (*Implementation).decode)
		}
		if d.forgive(at) {
			v.AgentInfo = nil
		}
	case "capabilities":
		if have, _ := marshal(&v.AgentCapabilities); string(have) != "{}" {
			return false
		}
		v.AgentCapabilities.decode(d)
		if d.forgive(at) {
			v.AgentCapabilities = AgentCapabilities{}
		}
	default:
		return false
	}
	return true
}

func (v *InitializeResponse) respeltHas(string) bool { return false }

// Two public agents say embeddedContent, one of them beside the real name.
func (v *PromptCapabilities) respelt(d *decoder) bool {
	if string(d.name) != "embeddedContent" {
		return false
	}
	var also bool
	at := d.pos
	decodeFlag(d, &also)
	d.forgive(at)
	v.EmbeddedContext = v.EmbeddedContext || also
	return true
}

// Schema 0.4.7 had meta in this one place.
func (v *SetSessionModeResponse) respelt(d *decoder) bool {
	if string(d.name) != "meta" || v.Meta != nil {
		return false
	}
	decodeRaw(&v.Meta, d)
	return true
}

// Version 2 says methodId.
func (v *AuthMethodAgent) respelt(d *decoder) bool { return respeltID(d, "methodId", &v.ID) }
func (v *AuthMethodAgent) respeltHas(name string) bool {
	return name == "id" && v.ID != ""
}
func (v *AuthMethodTerminal) respelt(d *decoder) bool { return respeltID(d, "methodId", &v.ID) }
func (v *AuthMethodTerminal) respeltHas(name string) bool {
	return name == "id" && v.ID != ""
}

// Version 2 says groupId.
func (v *SessionConfigSelectGroup) respelt(d *decoder) bool {
	return respeltID(d, "groupId", &v.Group)
}

func (v *SessionConfigSelectGroup) respeltHas(name string) bool {
	return name == "group" && v.Group != ""
}

func respeltID[T ~string](d *decoder, name string, to *T) bool {
	if string(d.name) != name || *to != "" {
		return false
	}
	decodeString(to, d)
	return true
}

// A value of a choice that is only a string is its own name.
func (v *SessionConfigSelectOption) decodeLoose(d *decoder) {
	if d.peek() != '"' || d.strict {
		v.decode(d)
		return
	}
	decodeString(&v.Name, d)
	v.Value = SessionConfigValueID(v.Name)
}

// A tool call without a title is shown under its name or its id.
func (v *ToolCall) respelt(*decoder) bool { return false }

func (v *ToolCall) respeltHas(member string) bool {
	if member != "title" {
		return false
	}
	v.Title = string(v.ToolCallID)
	if v.Name != nil {
		v.Title = *v.Name
	}
	return v.Title != ""
}

// decodeToolCallStatus reads a status, also those of the first description of Copilot's ACP server. A status cancelled
// stays what it is: version 1 has no other word for it.
func decodeToolCallStatus(to *ToolCallStatus, d *decoder) {
	decodeString(to, d)
	switch *to {
	case "running":
		*to = ToolCallStatusInProgress
	case "error":
		*to = ToolCallStatusFailed
	}
}

// The example of the specification's page on session modes has a bare block where content should be wrapped.
func respeltToolCallContent(d *decoder, kind string, to *ToolCallContent) bool {
	switch kind {
	case "text", "image", "audio", "resource_link", "resource":
	default:
		return false
	}
	v := new(Content)
	decodeContentBlock(&v.Content, d)
	*to = v
	return true
}

// A plan with an identity, from the draft on plan operations, is a plan if it is a list of entries. The identity stays in
// Extra.
func respeltSessionUpdate(d *decoder, kind string, to *SessionUpdate) bool {
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
			plan.decode(d)
		case string(d.name) == "_meta":
			decodeRaw(&meta, d)
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
func (v *TerminalOutputResponse) respelt(d *decoder) bool {
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
		decodeNew(d, &status.ExitCode, decodeUint[uint32])
	} else {
		decodeNew(d, &status.Signal, decodeString[string])
	}
	if !d.forgive(at) {
		v.ExitStatus = status
	}
	return true
}

func (v *TerminalOutputResponse) respeltHas(string) bool { return false }

func (v *WaitForTerminalExitResponse) respelt(d *decoder) bool {
	if string(d.name) != "exitStatus" {
		return false
	}
	at := d.pos
	if d.null() {
		return true
	}
	var status TerminalExitStatus
	status.decode(d)
	if !d.forgive(at) && v.ExitCode == nil && v.Signal == nil {
		v.ExitCode, v.Signal = status.ExitCode, status.Signal
	}
	return true
}
