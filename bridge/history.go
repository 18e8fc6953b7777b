package bridge

import (
	"sync"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// history is all that a session's editor was shown, in order, with gapless numbers, and what the person said. Adjacent
// chunks of one message are stored once, so that a long answer costs its text and four bytes a chunk.
type history struct {
	mu      sync.Mutex
	next    uint64 // number of the next update
	entries []entry

	saved *store.Session // nil: kept in memory only
	run   int            // of the last entry's chunks, how many are given to saved; the rest waits for more
	timer *time.Timer    // gives them when no more come

	closing sync.Mutex // held while the store lets go of the session
}

// entry is one update, a run of text chunks of one message, or something that was not shown as an update and has no
// number.
type entry struct {
	first  uint64 // number of the (first) update; of the next one where the entry has none
	turn   string
	replay bool
	update acp.SessionUpdate // of a run: its first chunk
	paths  []string
	text   []byte             // of a run: all its text
	ends   []uint32           // of a run: where each chunk ends in text
	prompt []acp.ContentBlock // what the person sent
	queued []acp.ContentBlock // what the person sent and what waits, or waited
	refs   []ContextRef       // the places that went with either
	note   *Happening         // what befell the session
	end    *turnEnd           // how a turn ended
}

// turnEnd is how a turn ended, as it is kept.
type turnEnd struct {
	StopReason acp.StopReason `json:"stopReason"`
	Message    string         `json:"message,omitzero"`
	Lost       bool           `json:"lost,omitzero"` // the agent has not answered the prompt, and not because of a cancel
}

func newHistory() *history { return &history{next: 1} }

// add numbers an update and keeps it.
func (h *history) add(u *Update) {
	h.mu.Lock()
	defer h.mu.Unlock()
	u.Seq = h.next
	h.next++
	text := plainText(u.Update)
	if text != nil && h.grow(u.Turn, u.Replay, u.Update, text.Text) {
		return
	}
	h.saveRun()
	e := entry{first: u.Seq, turn: u.Turn, replay: u.Replay, update: u.Update, paths: u.Paths}
	if text != nil {
		e.text = append(e.text, text.Text...)
		e.ends = []uint32{uint32(len(e.text))}
		e.update = withText(u.Update, "")
	}
	h.entries = append(h.entries, e)
	h.run = 0
	if text == nil {
		h.save(&e)
	} else {
		h.saveSoon()
	}
}

// grow adds a chunk to the run at the end, if it goes on the same message. The caller holds mu.
func (h *history) grow(turn string, replay bool, u acp.SessionUpdate, text string) bool {
	if len(h.entries) == 0 {
		return false
	}
	last := &h.entries[len(h.entries)-1]
	if last.ends == nil || last.turn != turn || last.replay != replay || len(last.text) >= maxRun || !sameMessage(last.update, u) {
		return false
	}
	last.text = append(last.text, text...)
	last.ends = append(last.ends, uint32(len(last.text)))
	h.saveSoon()
	return true
}

// put keeps something that is no update.
func (h *history) put(e entry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.saveRun()
	e.first = h.next
	h.entries = append(h.entries, e)
	h.save(&e)
}

// since returns the updates after number seq, merged where they were, and the number of the newest. The first one may
// be the rest of a run. Seq of a merged one is that of its last chunk.
func (h *history) since(session string, seq uint64) ([]*Update, uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []*Update
	for i := range h.entries {
		e := &h.entries[i]
		if e.update == nil || e.last() <= seq {
			continue
		}
		from := uint32(0)
		if e.ends != nil && seq >= e.first {
			from = e.ends[seq-e.first]
		}
		out = append(out, e.shown(session, from))
	}
	return out, h.next - 1
}

// last is the number of the last update in an entry that has updates.
func (e *entry) last() uint64 {
	if e.ends != nil {
		return e.first + uint64(len(e.ends)) - 1
	}
	return e.first
}

// shown is an entry's update, its text from a place on.
func (e *entry) shown(session string, from uint32) *Update {
	u := &Update{Session: session, Turn: e.turn, Replay: e.replay, Seq: e.last(), Update: e.update, Paths: e.paths}
	if e.ends != nil {
		u.Update = withText(e.update, string(e.text[from:]))
	}
	return u
}

// all visits the entries, oldest first, and returns the number of the newest update. Nothing else goes on meanwhile.
func (h *history) all(visit func(*entry)) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range h.entries {
		visit(&h.entries[i])
	}
	return h.next - 1
}

// replayed is the whole session as it is shown to an editor that does not know it: the person's prompts too, which an
// editor knows that sent them, and what else befell the session. These have the number of the update before them.
func (h *history) replayed(session string) []Event {
	var out []Event
	h.all(func(e *entry) {
		switch {
		case e.note != nil:
			out = append(out, &Replayed{Session: session, Turn: e.turn, Seq: e.first - 1, Event: e.note})
		case e.end != nil:
			out = append(out, &Replayed{Session: session, Turn: e.turn, Seq: e.first - 1, StopReason: e.end.StopReason, Message: e.end.Message})
		}
		if e.update != nil {
			u := e.shown(session, 0)
			u.Replay = true
			out = append(out, u)
		}
		for _, b := range e.prompt {
			out = append(out, &Update{Session: session, Turn: e.turn, Replay: true, Seq: e.first - 1,
				Update: &acp.UserMessageChunk{ContentChunk: acp.ContentChunk{Content: b}}})
		}
	})
	return out
}
