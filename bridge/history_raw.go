package bridge

import (
	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// record keeps an update that is passed on as it is: in the store, not in memory. The editor of such a session gets its
// history from the agent.
func (h *history) record(m *Message) {
	u := m.update
	if u == nil && m.chunk.Plain {
		if h.recordChunk(m) {
			return
		}
		u = chunkUpdate(m.chunk)
	}
	if u == nil {
		var n acp.SessionNotification
		if acp.Unmarshal(m.Params, &n) != nil {
			return
		}
		u = n.Update
	}
	h.add(&Update{Turn: m.turn, Replay: m.replay, Update: u})
	h.forget()
}

// recordChunk adds a chunk to the run at the end, if it goes on the same message.
func (h *history) recordChunk(m *Message) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.entries) == 0 {
		return false
	}
	last := &h.entries[len(h.entries)-1]
	if last.ends == nil || last.turn != m.turn || last.replay != m.replay || len(last.text) >= maxRunKept || !sameRun(last.update, m.chunk) {
		return false
	}
	last.text = acp.AppendText(last.text, m.chunk.Text)
	last.ends = append(last.ends, uint32(len(last.text)))
	h.next++
	h.saveSoon()
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

// told is all that was said in the session: what is in memory, or what the store has where it is kept there only.
func (s *Session) told() *history {
	if !s.b.cfg.Verbatim || s.b.store == nil {
		return s.history
	}
	s.history.sync()
	h := newHistory()
	if err := s.b.store.Read(s.ID, func(e store.Entry) bool { h.restore(e); return true }); err != nil {
		s.log.Warn().Err(err).Msg("what was said in the session cannot be read")
	}
	return h
}

// forget drops what is in the store from memory, all but a run of text that still grows. The store itself keeps what is
// not certainly on disk: so much of it is seen to from time to time.
func (h *history) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := len(h.entries)
	if n == 0 {
		return
	}
	last := h.entries[n-1]
	if last.ends != nil && len(last.text) < maxRunKept {
		if n > 1 {
			h.entries = []entry{last}
		}
		return
	}
	h.saveRun()
	clear(h.entries)
	h.entries, h.run = h.entries[:0], 0
	if last.ends != nil && cap(last.text) <= 2*maxRunKept {
		h.spareText, h.spareEnds = last.text[:0], last.ends[:0]
	}
	if h.saved == nil {
		return
	}
	if h.unsure += len(last.text); h.unsure < maxUnsure {
		return
	}
	if h.syncing != nil {
		select {
		case <-h.syncing:
		default:
			if h.unsure < 4*maxUnsure {
				return
			}
			<-h.syncing // the disk is slower than the agent
		}
	}
	h.unsure = 0
	saved, done := h.saved, make(chan struct{})
	h.syncing = done
	go func() {
		defer close(done)
		_ = saved.Sync() // told of by the store itself
	}()
}
