package conversation

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// Passed is an update that is passed on as it came: what is known of it without decoding it once more.
type Passed struct {
	Turn   string // "" outside a turn
	Replay bool
	Update acp.SessionUpdate // nil if that was not looked at
	Chunk  acp.RawUpdate     // where it is a plain chunk of text
}

// Record adds an update that is passed on as it is; params are those of its session/update, and are not kept. It is
// called where the update is shown: by the goroutine that shows, or by the agent's reading goroutine in its place. The
// latter waits here when the disk is much slower than the agent, and only then.
func (c *Conversation) Record(p *Passed, params jsontext.Value) {
	u := p.Update
	if u == nil && p.Chunk.Plain {
		if c.recordChunk(p) {
			return
		}
		u = chunkUpdate(p.Chunk)
	}
	if u == nil {
		var n acp.SessionNotification
		if acp.Unmarshal(params, &n) != nil {
			return
		}
		u = n.Update
	}
	c.Add(&Update{Turn: p.Turn, Replay: p.Replay, Update: u})
	c.trim()
}

// recordChunk adds a chunk to the run at the end, if it goes on the same message.
func (c *Conversation) recordChunk(p *Passed) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.items) == 0 {
		return false
	}
	last := &c.items[len(c.items)-1]
	if last.ends == nil || last.turn != p.Turn || last.replay != p.Replay || len(last.text) >= maxRunOnDisk || !sameRun(last.update, p.Chunk) {
		return false
	}
	last.text = acp.AppendText(last.text, p.Chunk.Text)
	last.ends = append(last.ends, uint32(len(last.text)))
	c.next++
	c.saveSoon()
	return true
}

// sameRun says whether a chunk goes on the message of u.
func sameRun(u acp.SessionUpdate, c acp.RawUpdate) bool {
	kind := c.Kind
	if len(kind) < 2 || string(kind[1:len(kind)-1]) != acp.Kind(u) {
		return false
	}
	id := chunkOf(u).MessageID
	if id == nil {
		return c.MessageID == nil
	}
	return acp.SameText(c.MessageID, string(*id))
}

// chunkUpdate is a plain chunk, decoded; nil for a kind that is none.
func chunkUpdate(c acp.RawUpdate) acp.SessionUpdate {
	text, _ := acp.StringOf(c.Text)
	chunk := acp.ContentChunk{Content: acp.Text(text)}
	if id, ok := acp.StringOf(c.MessageID); ok {
		mid := acp.MessageID(id)
		chunk.MessageID = &mid
	}
	switch string(c.Kind) {
	case `"agent_message_chunk"`:
		return &acp.AgentMessageChunk{ContentChunk: chunk}
	case `"agent_thought_chunk"`:
		return &acp.AgentThoughtChunk{ContentChunk: chunk}
	case `"user_message_chunk"`:
		return &acp.UserMessageChunk{ContentChunk: chunk}
	}
	return nil
}

// trim drops what is in the store from memory, all but a run of text that still grows. The store itself keeps what is
// not certainly on disk: so much of it is seen to from time to time.
func (c *Conversation) trim() {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.items)
	if n == 0 {
		return
	}
	last := c.items[n-1]
	if last.ends != nil && len(last.text) < maxRunOnDisk {
		if n > 1 {
			c.items = []item{last}
		}
		return
	}
	c.saveRun()
	clear(c.items)
	c.items, c.run = c.items[:0], 0
	if last.ends != nil && cap(last.text) <= 2*maxRunOnDisk {
		c.spareText, c.spareEnds = last.text[:0], last.ends[:0]
	}
	if c.saved == nil {
		return
	}
	if c.unsure += len(last.text); c.unsure < maxUnsure {
		return
	}
	if c.syncing != nil {
		select {
		case <-c.syncing:
		default:
			if c.unsure < 4*maxUnsure {
				return
			}
			<-c.syncing // the disk is slower than the agent
		}
	}
	c.unsure = 0
	saved, done := c.saved, make(chan struct{})
	c.syncing = done
	go func() {
		defer close(done)
		_ = saved.Sync() // told of by the store itself
	}()
}
