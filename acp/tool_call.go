package acp

// CallOf is what an update says of a tool call, either kind of it in the form of the second: agents begin calls with both. It is nil
// for all other updates. Its parts are the update's.
func CallOf(u SessionUpdate) *ToolCallUpdate {
	switch u := u.(type) {
	case *ToolCallUpdate:
		return u
	case *ToolCall:
		return &ToolCallUpdate{
			ToolCallID: u.ToolCallID, Kind: u.Kind, Status: u.Status, Title: &u.Title, Name: u.Name, Content: u.Content,
			Locations: u.Locations, RawInput: u.RawInput, RawOutput: u.RawOutput, Meta: u.Meta, Extra: u.Extra,
		}
	}
	return nil
}

// LastText is the last text of the call's content, "" if it has none.
func (u *ToolCallUpdate) LastText() (text string) {
	for _, c := range u.Content {
		if c, ok := c.(*Content); ok {
			if t, ok := c.Content.(*TextContent); ok {
				text = t.Text
			}
		}
	}
	return text
}

// Old is the text before the change, "" for a new file.
func (d *Diff) Old() string {
	if d.OldText == nil {
		return ""
	}
	return *d.OldText
}
