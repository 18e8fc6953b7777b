package acp

// SessionNotifications reads the parameters of session/update as [Unmarshal] does. The first description of Copilot's ACP
// server has a list of updates in one message, and another vocabulary; each of its entries becomes a notification of its own.
// Anything else is one notification.
func SessionNotifications(params []byte) ([]*SessionNotification, error) {
	d := decoder{data: params}
	if d.holds("update") || !d.holds("updates") {
		n := new(SessionNotification)
		if err := Unmarshal(params, n); err != nil {
			return nil, err
		}
		return []*SessionNotification{n}, nil
	}
	var session SessionID
	var updates []SessionUpdate
	for ok := d.open(); ok; ok = d.next() {
		switch string(d.name) {
		case "sessionId":
			decodeString(&session, &d)
		case "updates":
			decodeSlice(&d, &updates, decodeOldUpdate)
		default:
			d.skip()
		}
	}
	if err := d.end(); err != nil {
		return nil, err
	}
	var all []*SessionNotification
	for _, u := range updates {
		all = append(all, &SessionNotification{SessionID: session, Update: u})
	}
	return all, nil
}

// decodeOldUpdate reads {"type":"text","text":…} and {"type":"tool","id":…,"name":…,"status":…,"input":…,"output":…}.
func decodeOldUpdate(to *SessionUpdate, d *decoder) {
	kind, _ := d.tag("type")
	switch string(kind) {
	case "text":
		text := new(TextContent)
		text.decode(d)
		*to = &AgentMessageChunk{ContentChunk{Content: text}}
	case "tool":
		*to = decodeOldTool(d)
	default:
		if v := d.unknown(kind); v != nil {
			*to = v
		}
	}
}

func decodeOldTool(d *decoder) *ToolCall {
	v := new(ToolCall)
	var name string
	for ok := d.open(); ok; ok = d.next() {
		switch string(d.name) {
		case "type":
			d.skip()
		case "id":
			decodeString(&v.ToolCallID, d)
		case "name":
			decodeString(&name, d)
			v.Name = &name
		case "status":
			decodeNew(d, &v.Status, decodeToolCallStatus)
		case "input":
			decodeRaw(&v.RawInput, d)
		case "output":
			decodeRaw(&v.RawOutput, d)
		default:
			d.extra(&v.Extra, "")
		}
	}
	if v.ToolCallID == "" {
		d.missing("id")
	}
	v.respeltHas("title")
	return v
}
