package bridge

import (
	"slices"
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

	spareText []byte // of a run that was forgotten, for the next one, which will be as long
	spareEnds []uint32

	unsure  int           // bytes given to saved and perhaps not on disk, where little is kept in memory
	syncing chan struct{} // closed when that has been seen to; nil if it never was

	closing sync.Mutex // held while the store lets go of the session
}

// entry is one update, a run of text chunks of one message, or something that was not shown as an update and has no
// number.
type entry struct {
	first  uint64 // number of the (first) update; of the next one where the entry has none
	shown  bool   // what is no update was shown as a part of a replay, and has numbers
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
	Files      []FileCount    `json:"files,omitzero"`
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
		e.text = append(h.spareText, text.Text...)
		e.ends = append(h.spareEnds, uint32(len(e.text)))
		h.spareText, h.spareEnds = nil, nil
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

// since returns what was shown after number seq, merged where it was, and the number of the newest. The first one may be
// the rest of a run. Seq of a merged one is that of its last chunk.
func (h *history) since(session string, seq uint64) ([]Event, uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []Event
	for i := range h.entries {
		e := &h.entries[i]
		switch {
		case e.update == nil && e.shown:
			for _, ev := range e.beside(session) {
				if numberOf(ev) > seq {
					out = append(out, ev)
				}
			}
		case e.update != nil && e.last() > seq:
			from := uint32(0)
			if e.ends != nil && seq >= e.first {
				from = e.ends[seq-e.first]
			}
			out = append(out, e.asUpdate(session, from))
		}
	}
	return out, h.next - 1
}

func numberOf(ev Event) uint64 {
	switch ev := ev.(type) {
	case *Update:
		return ev.Seq
	case *Replayed:
		return ev.Seq
	}
	return 0
}

// last is the number of the last update in an entry that has updates.
func (e *entry) last() uint64 {
	if e.ends != nil {
		return e.first + uint64(len(e.ends)) - 1
	}
	return e.first
}

// asUpdate is an entry's update, its text from a place on.
func (e *entry) asUpdate(session string, from uint32) *Update {
	u := &Update{Session: session, Turn: e.turn, Replay: e.replay, Seq: e.last(), Update: e.update, Paths: e.paths}
	if e.ends != nil {
		u.Update = withText(e.update, string(e.text[from:]))
	}
	return u
}

// beside is an entry that is no update as a replay shows it: what the person said, what befell the session, how a turn
// ended. Its numbers count from the entry's.
func (e *entry) beside(session string) (out []Event) {
	switch {
	case e.note != nil:
		out = append(out, &Replayed{Session: session, Turn: e.turn, Seq: e.first, Event: e.note})
	case e.end != nil:
		out = append(out, &Replayed{Session: session, Turn: e.turn, Seq: e.first, StopReason: e.end.StopReason, Message: e.end.Message, Files: e.end.Files})
	}
	for i, b := range e.prompt {
		out = append(out, &Update{Session: session, Turn: e.turn, Replay: true, Seq: e.first + uint64(i),
			Update: &acp.UserMessageChunk{ContentChunk: acp.ContentChunk{Content: b}}})
	}
	return out
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
// editor knows that sent them, and what else befell the session. All of it is numbered anew, from 1 and without gaps, and
// what comes next goes on from there.
func (h *history) replayed(session string) []Event {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.saveRun() // with the numbers that its chunks were shown with
	out := renumber(session, h.entries)
	if n := len(h.entries); n > 0 {
		h.run = len(h.entries[n-1].ends)
	}
	h.next = uint64(len(out)) + 1
	return out
}

// preview is what replayed would show, and the number of the newest update. It changes nothing: updates keep the numbers that
// they were shown under, those of the list are its own.
func (h *history) preview(session string) ([]Event, uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return renumber(session, slices.Clone(h.entries)), h.next - 1
}

// renumber gives entries numbers from 1 on as far as they are shown in a replay, runs as one, and returns what is shown.
func renumber(session string, entries []entry) (out []Event) {
	next := uint64(1)
	turn := "" // the last one that began
	for i := range entries {
		e := &entries[i]
		e.first = next
		if e.prompt != nil {
			turn = e.turn
		}
		switch {
		case e.update != nil:
			if e.ends != nil { // a run is shown as one
				e.ends = []uint32{uint32(len(e.text))}
			}
			u := e.asUpdate(session, 0)
			u.Replay = true
			out = append(out, u)
			next++
		case e.end == nil || e.turn == turn: // else of a prompt that never ran
			list := e.beside(session)
			e.shown = len(list) > 0
			out = append(out, list...)
			next += uint64(len(list))
		}
	}
	return out
}
