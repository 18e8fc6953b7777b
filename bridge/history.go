package bridge

import (
	"sync"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// history is all that a session's editor was shown, in order, with gapless numbers. Adjacent chunks of one message are
// stored once, so that a long answer costs its text and four bytes a chunk.
type history struct {
	mu      sync.Mutex
	next    uint64 // number of the next update
	entries []entry
}

// entry is one update, or a run of text chunks of one message.
type entry struct {
	first  uint64
	turn   string
	replay bool
	update acp.SessionUpdate // of a run: its first chunk
	text   []byte            // of a run: all its text
	ends   []uint32          // of a run: where each chunk ends in text
}

func newHistory() *history { return &history{next: 1} }

// add numbers an update and keeps it.
func (h *history) add(u *Update) {
	h.mu.Lock()
	defer h.mu.Unlock()
	u.Seq = h.next
	h.next++
	text := plainText(u.Update)
	if n := len(h.entries); text != nil && n > 0 {
		last := &h.entries[n-1]
		if last.ends != nil && last.turn == u.Turn && last.replay == u.Replay && len(last.text) < maxRun && sameMessage(last.update, u.Update) {
			last.text = append(last.text, text.Text...)
			last.ends = append(last.ends, uint32(len(last.text)))
			return
		}
	}
	e := entry{first: u.Seq, turn: u.Turn, replay: u.Replay, update: u.Update}
	if text != nil {
		e.text = append(e.text, text.Text...)
		e.ends = []uint32{uint32(len(e.text))}
		e.update = withText(u.Update, "")
	}
	h.entries = append(h.entries, e)
}

// since returns the updates after number seq, merged where they were, and the number of the newest. The first one may
// be the rest of a run. Seq of a merged one is that of its last chunk.
func (h *history) since(session string, seq uint64) ([]*Update, uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []*Update
	for i := range h.entries {
		e := &h.entries[i]
		last := e.first
		if e.ends != nil {
			last += uint64(len(e.ends)) - 1
		}
		if last <= seq {
			continue
		}
		u := &Update{Session: session, Turn: e.turn, Replay: e.replay, Seq: last, Update: e.update}
		if e.ends != nil {
			from := uint32(0)
			if seq >= e.first {
				from = e.ends[seq-e.first]
			}
			u.Update = withText(e.update, string(e.text[from:]))
		}
		out = append(out, u)
	}
	return out, h.next - 1
}
