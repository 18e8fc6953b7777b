package bridge

import "github.com/copilot-bridge/copilot-bridge/acp"

// record keeps an update that is passed on as it is: in the store, not in memory. The editor of such a session gets its
// history from the agent.
func (h *history) record(m *Message) {
	u := m.update
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

// forget drops what is in the store from memory, all but a run of text that still grows.
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
	h.entries, h.run = nil, 0
}
