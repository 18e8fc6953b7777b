package acp

import "bytes"

// plainChunk reads the message that a streamed answer is made of: a chunk of plain text, written as all agents do, without
// spaces and in the order of the specification. It is a shortcut of [Unmarshal] for *SessionNotification, in either mode:
// what it takes has no unknown member and none twice. False leaves n alone and the message to the codec.
func plainChunk(data []byte, n *SessionNotification) bool {
	d := decoder{data: data}
	var session, kind, message, text quoted
	if !d.follows(`{"sessionId":`, &session) || !d.follows(`,"update":{"sessionUpdate":`, &kind) {
		return false
	}
	var chunk *ContentChunk
	var update SessionUpdate
	switch string(kind.raw) {
	case `"agent_message_chunk"`:
		u := new(AgentMessageChunk)
		chunk, update = &u.ContentChunk, u
	case `"agent_thought_chunk"`:
		u := new(AgentThoughtChunk)
		chunk, update = &u.ContentChunk, u
	default:
		return false
	}
	identified := d.follows(`,"messageId":`, &message)
	if !d.follows(`,"content":{"type":"text","text":`, &text) || string(data[d.pos:]) != "}}}" {
		return false
	}
	if identified {
		id := MessageID(message.text())
		chunk.MessageID = &id
	}
	chunk.Content = &TextContent{Text: text.text()}
	*n = SessionNotification{SessionID: SessionID(session.text()), Update: update}
	return true
}

// follows consumes these bytes and the string behind them; false if that is not what follows.
func (d *decoder) follows(text string, to *quoted) bool {
	if d.err != nil || !bytes.HasPrefix(d.data[d.pos:], []byte(text)) {
		return false
	}
	d.pos += len(text)
	to.raw, to.plain = d.str()
	return d.err == nil
}
