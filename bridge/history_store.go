package bridge

import (
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// savedNote is a [Happening] as it is kept.
type savedNote struct {
	Type    string         `json:"type"`
	Message string         `json:"message"`
	Data    map[string]any `json:"data,omitzero"`
}

// keep gives everything to come to a session of the store.
func (h *history) keep(saved *store.Session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.saved = saved
}

// save gives an entry that does not grow to the store. The caller holds mu.
func (h *history) save(e *entry) {
	if h.saved == nil || isState(e.update) {
		return
	}
	out := store.Entry{Turn: e.turn, Replay: e.replay, Paths: e.paths}
	var body []byte
	var err error
	switch {
	case e.update != nil:
		out.Kind, out.First = store.KindUpdate, e.first
		body, err = acp.Marshal(e.update)
	case e.prompt != nil:
		out.Kind = store.KindPrompt
		body, err = acp.Marshal(e.prompt)
		out.Refs = savedRefs(e.refs)
	case e.queued != nil:
		out.Kind = store.KindQueued
		body, err = acp.Marshal(e.queued)
		out.Refs = savedRefs(e.refs)
	case e.note != nil:
		out.Kind = store.KindNote
		body, err = json.Marshal(savedNote{e.note.Type, e.note.Message, e.note.Data})
	case e.end != nil:
		out.Kind = store.KindEnd
		body, err = json.Marshal(e.end)
	}
	if err != nil {
		return // it came from the wire, so it goes there again
	}
	out.Body = jsontext.Value(body)
	h.saved.Append(out)
}

// savedRefs are the places that went with a prompt, nil for none.
func savedRefs(refs []ContextRef) jsontext.Value {
	if len(refs) == 0 {
		return nil
	}
	raw, err := json.Marshal(refs)
	if err != nil {
		return nil // of a path that is no text
	}
	return raw
}

func refsOf(s store.Entry) (refs []ContextRef) {
	if len(s.Refs) == 0 || json.Unmarshal(s.Refs, &refs) != nil {
		return nil // the prompt counts without them
	}
	return refs
}

// isState says whether an update is the whole of something as it is now. It is large, and the agent sends it again when
// it loads the session.
func isState(u acp.SessionUpdate) bool {
	switch u.(type) {
	case *acp.AvailableCommandsUpdate, *acp.ConfigOptionUpdate:
		return true
	}
	return false
}

// saveRun gives the chunks of the last entry that the store does not have yet. The caller holds mu.
func (h *history) saveRun() {
	if h.timer != nil {
		h.timer.Stop()
		h.timer = nil
	}
	if h.saved == nil || len(h.entries) == 0 {
		return
	}
	e := &h.entries[len(h.entries)-1]
	if h.run >= len(e.ends) {
		return
	}
	from := uint32(0)
	if h.run > 0 {
		from = e.ends[h.run-1]
	}
	out := store.Entry{Kind: store.KindUpdate, Turn: e.turn, Replay: e.replay, First: e.first + uint64(h.run)}
	for _, end := range e.ends[h.run:] {
		out.Ends = append(out.Ends, end-from)
	}
	body, err := acp.Marshal(withText(e.update, string(e.text[from:])))
	h.run = len(e.ends)
	if err == nil {
		out.Body = body
		h.saved.Append(out)
	}
}

// saveSoon lets the run at the end wait for more of it, but not long. The caller holds mu.
func (h *history) saveSoon() {
	if h.saved == nil || h.timer != nil {
		return
	}
	h.timer = time.AfterFunc(runDelay, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.saveRun()
	})
}

// sync makes what was added so far last. The store tells the person if it cannot.
func (h *history) sync() {
	h.mu.Lock()
	h.saveRun()
	saved := h.saved
	h.mu.Unlock()
	if saved != nil {
		_ = saved.Sync() // told of by the store itself
	}
}

// close syncs and lets go of the session in the store. What is added afterwards stays in memory. When it returns the
// session can be opened again or deleted, whoever closed it first.
func (h *history) close() {
	h.closing.Lock()
	defer h.closing.Unlock()
	h.mu.Lock()
	h.saveRun()
	saved, syncing := h.saved, h.syncing
	h.saved = nil
	h.mu.Unlock()
	if syncing != nil {
		<-syncing
	}
	if saved != nil {
		saved.Close()
	}
}

// restore takes in an entry of an earlier run.
func (h *history) restore(s store.Entry) {
	e := entry{first: h.next, turn: s.Turn, replay: s.Replay, paths: s.Paths}
	var err error
	switch s.Kind {
	case store.KindUpdate:
		err = acp.Unmarshal(s.Body, &e.update)
		if err != nil || e.update == nil {
			return
		}
		h.restoreUpdate(e, s)
		return
	case store.KindPrompt:
		err = acp.Unmarshal(s.Body, &e.prompt)
		e.refs = refsOf(s)
	case store.KindQueued:
		err = acp.Unmarshal(s.Body, &e.queued)
		e.refs = refsOf(s)
	case store.KindNote:
		var n savedNote
		err = json.Unmarshal(s.Body, &n)
		e.note = &Happening{Type: n.Type, Message: n.Message, Data: n.Data}
	case store.KindEnd:
		e.end = &turnEnd{}
		err = json.Unmarshal(s.Body, e.end)
	case store.KindGap:
		e.note = &Happening{Type: "not_saved", Message: "Some of what was said here was not saved or cannot be read any more."}
	default:
		return // of a newer version
	}
	if err == nil {
		h.entries = append(h.entries, e)
	}
}

// restoreUpdate takes in an update, or some chunks of a run.
func (h *history) restoreUpdate(e entry, s store.Entry) {
	if s.First > h.next && s.First-h.next <= maxGap {
		h.next = s.First // after a gap the numbers go on
	}
	e.first = h.next
	text := plainText(e.update)
	if text == nil || len(s.Ends) == 0 || int(s.Ends[len(s.Ends)-1]) != len(text.Text) || !slices.IsSorted(s.Ends) {
		h.entries = append(h.entries, e)
		h.next++
		return
	}
	h.next += uint64(len(s.Ends))
	if n := len(h.entries); n > 0 {
		last := &h.entries[n-1]
		if last.ends != nil && last.last()+1 == e.first && last.turn == e.turn && last.replay == e.replay && len(last.text) < maxRun && sameMessage(last.update, e.update) {
			at := uint32(len(last.text))
			last.text = append(last.text, text.Text...)
			for _, end := range s.Ends {
				last.ends = append(last.ends, at+end)
			}
			return
		}
	}
	e.text, e.ends = []byte(text.Text), s.Ends
	e.update = withText(e.update, "")
	h.entries = append(h.entries, e)
}

// restored ends the restoring: what was open when the earlier run ended is closed. lost are the prompts that were cut
// off, the one of the open turn first, then those that waited.
func (h *history) restored() (lost []lostPrompt) {
	calls := newCallTable()
	var open *lostPrompt
	var queued []lostPrompt
	unqueue := func(turn string) {
		queued = slices.DeleteFunc(queued, func(l lostPrompt) bool { return l.turn == turn })
	}
	h.all(func(e *entry) {
		switch u := e.update.(type) {
		case *acp.ToolCall:
			calls.upsert(u.ToolCallID, nil, u.Status, nil)
		case *acp.ToolCallUpdate:
			calls.upsert(u.ToolCallID, nil, u.Status, nil)
		}
		switch {
		case e.prompt != nil && open != nil && open.turn == e.turn: // added while it ran
			open.prompt = append(open.prompt, e.prompt...)
		case e.prompt != nil:
			unqueue(e.turn)
			open = &lostPrompt{turn: e.turn, prompt: slices.Clone(e.prompt), refs: e.refs, sent: true}
		case e.queued != nil:
			unqueue(e.turn)
			queued = append(queued, lostPrompt{turn: e.turn, prompt: e.queued, refs: e.refs})
		case e.end != nil && open != nil && e.turn == open.turn:
			open.over = true
			if !e.end.Lost {
				open = nil
			}
		case e.end != nil:
			unqueue(e.turn)
		}
	})
	if n := len(h.entries); n > 0 {
		h.run = len(h.entries[n-1].ends) // the last run is saved
	}
	turn := ""
	if open != nil && !open.over {
		turn = open.turn
	}
	for _, c := range calls.takeOpen() {
		h.add(&Update{Turn: turn, Update: cancelledCall(c.id)})
	}
	if turn != "" {
		h.put(entry{turn: turn, end: &turnEnd{StopReason: StopReasonError, Message: "the bridge ended in the middle of it", Lost: true}})
	}
	for _, l := range queued {
		h.put(entry{turn: l.turn, end: &turnEnd{StopReason: acp.StopReasonCancelled}})
	}
	if open != nil {
		lost = append(lost, *open)
	}
	return append(lost, queued...)
}
