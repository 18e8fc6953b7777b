package conversation

import "github.com/copilot-bridge/copilot-bridge/acp"

// chunkOf is the content chunk inside a message or thought update, nil for other updates.
func chunkOf(u acp.SessionUpdate) *acp.ContentChunk {
	switch u := u.(type) {
	case *acp.AgentMessageChunk:
		return &u.ContentChunk
	case *acp.AgentThoughtChunk:
		return &u.ContentChunk
	case *acp.UserMessageChunk:
		return &u.ContentChunk
	}
	return nil
}

// PlainText is the text of a chunk that may be merged: no annotations, no _meta, nothing unknown.
func PlainText(u acp.SessionUpdate) *acp.TextContent {
	c := chunkOf(u)
	if c == nil || c.Meta != nil || c.Extra != nil {
		return nil
	}
	t, ok := c.Content.(*acp.TextContent)
	if !ok || t.Annotations != nil || t.Meta != nil || t.Extra != nil {
		return nil
	}
	return t
}

// SameMessage says whether b goes on the message of a: same speaker, same message id (ACP v1: a changed id is a new
// message, none means that adjacency decides).
func SameMessage(a, b acp.SessionUpdate) bool {
	if acp.Kind(a) != acp.Kind(b) {
		return false
	}
	x, y := chunkOf(a).MessageID, chunkOf(b).MessageID
	return x == nil && y == nil || x != nil && y != nil && *x == *y
}

// WithText is u with its text replaced; u itself stays as it is, the agent's copy may be in use elsewhere.
func WithText(u acp.SessionUpdate, text string) acp.SessionUpdate {
	c := *chunkOf(u)
	c.Content = acp.Text(text)
	switch u.(type) {
	case *acp.AgentThoughtChunk:
		return &acp.AgentThoughtChunk{ContentChunk: c}
	case *acp.UserMessageChunk:
		return &acp.UserMessageChunk{ContentChunk: c}
	}
	return &acp.AgentMessageChunk{ContentChunk: c}
}

// goesOn is [SameMessage] for a chunk that is not decoded.
func goesOn(a acp.SessionUpdate, p *acp.Parts) bool {
	if len(p.Kind) < 2 || string(p.Kind[1:len(p.Kind)-1]) != acp.Kind(a) {
		return false
	}
	id := chunkOf(a).MessageID
	if id == nil {
		return p.MessageID == nil
	}
	return acp.SameText(p.MessageID, string(*id))
}
