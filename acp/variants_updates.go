package acp

// SessionNotifications reads the parameters of session/update as [Unmarshal] does. The first description of Copilot's ACP
// server has a list of updates in one message, and another vocabulary; each of its entries becomes a notification of its own.
// Anything else is one notification.
func SessionNotifications(params []byte) ([]*SessionNotification, error) {
	d := decoder{data: params, codecs: protocol()}
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
			session = SessionID(d.text())
		case "updates":
			updates = nil
			for ok := d.array(); ok; ok = d.element() {
				updates = append(updates, decodeOldUpdate(&d))
			}
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
func decodeOldUpdate(d *decoder) SessionUpdate {
	kind, _ := d.tag("type")
	switch string(kind) {
	case "text":
		text := new(TextContent)
		d.value(text)
		return &AgentMessageChunk{ContentChunk{Content: text}}
	case "tool":
		return decodeOldTool(d)
	}
	return d.unknown(kind)
}

func decodeOldTool(d *decoder) *ToolCall {
	v := new(ToolCall)
	for ok := d.open(); ok; ok = d.next() {
		switch string(d.name) {
		case "type":
			d.skip()
		case "id":
			v.ToolCallID = ToolCallID(d.text())
		case "name":
			d.value(&v.Name)
		case "status":
			d.value(&v.Status)
		case "input":
			v.RawInput = d.raw()
		case "output":
			v.RawOutput = d.raw()
		default:
			d.extra(&v.Extra)
		}
	}
	if v.ToolCallID == "" {
		d.missing("id")
	}
	v.respeltHas("title")
	return v
}
