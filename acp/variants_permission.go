package acp

import "github.com/go-json-experiment/json/jsontext"

// Permission in other spellings. They are read when we are the agent and an editor answers; whatever is unclear is no
// consent.

// Seen instead of {"outcome":{"outcome":"selected","optionId":"x"}}: {"outcome":"selected","optionId":"x"}, {"optionId":"x"},
// {"selected":{"optionId":"x"}} and {"outcome":{"selected":{"optionId":"x"}}}. An outcome that says something else wins over
// an optionId beside it.
func (v *RequestPermissionResponse) decodeAlias(d *decoder) bool {
	var chosen *SelectedPermissionOutcome
	at := d.pos
	switch string(d.name) {
	case "optionId":
		chosen = new(SelectedPermissionOutcome)
		chosen.OptionID = PermissionOptionID(d.text())
	case "selected":
		chosen = new(SelectedPermissionOutcome)
		d.value(chosen)
	default:
		return false
	}
	if d.forgive(at) {
		return true
	}
	if undecided, ok := v.Outcome.(*Unknown); v.Outcome == nil || ok && undecided.Kind == "selected" {
		v.Outcome = chosen
	}
	return true
}

func (v *RequestPermissionResponse) fillMissing(string) bool {
	if v.Outcome == nil {
		v.Outcome = &CancelledPermissionOutcome{}
	}
	return true
}

func decodePermissionOutcomeAlias(d *decoder, kind string, to *RequestPermissionOutcome) bool {
	switch d.peek() {
	case '"':
		outcome := d.text()
		if outcome != "selected" {
			*to = &CancelledPermissionOutcome{}
		} else if *to == nil { // the optionId is still to come, or there is none
			*to = &Unknown{Kind: outcome, Raw: jsontext.Value(`{"outcome":"selected"}`)}
		}
		return true
	case '{':
		if kind == "" && d.holds("selected") {
			for ok := d.open(); ok; ok = d.next() {
				if string(d.name) != "selected" {
					d.skip()
					continue
				}
				chosen := new(SelectedPermissionOutcome)
				d.value(chosen)
				*to = chosen
			}
			return true
		}
	}
	return false
}

// The first description of Copilot's ACP server asks with a request of type tool, path or url instead of a tool call.
func (v *RequestPermissionRequest) decodeAlias(d *decoder) bool {
	if string(d.name) != "request" || v.ToolCall.ToolCallID != "" || d.peek() != '{' {
		return false
	}
	var title string
	ahead := decoder{data: d.data, pos: d.pos}
	for ok := ahead.open(); ok; ok = ahead.next() {
		switch string(ahead.name) {
		case "type", "name", "tool", "path", "url":
			if ahead.peek() == '"' {
				if title != "" {
					title += " "
				}
				title += ahead.text()
				continue
			}
		}
		ahead.skip()
	}
	v.ToolCall = ToolCallUpdate{ToolCallID: "request", Title: &title, RawInput: d.raw()}
	return true
}

func (v *RequestPermissionRequest) fillMissing(member string) bool {
	return member == "toolCall" && v.ToolCall.ToolCallID != ""
}
