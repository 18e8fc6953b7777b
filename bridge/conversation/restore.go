package conversation

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/store"
)

// Restore takes in a session that an earlier run has saved, and goes on with it: the store is given everything to come.
// It is called once, before anything is added. What was open when the earlier run ended is closed; lost are the prompts
// that were cut off, the one of the open turn first, then those that waited. skipped says that a long session's beginning
// was left out. With an error not all could be read, and the conversation goes on with what could.
func (c *Conversation) Restore(saved *store.Session) (lost []LostPrompt, skipped bool, err error) {
	skipped, err = saved.Entries(c.restore)
	c.mu.Lock()
	c.saved = saved
	c.carry = saved.Meta().Carry
	c.mu.Unlock()
	lost = c.closeOpen()
	if c.mu.Lock(); c.cfg.DiskOnly && len(c.items) > 0 { // what was closed may have seen to it
		c.trim()
	}
	c.mu.Unlock()
	return lost, skipped, err
}

// Read is what a session's entries in the store say, for reading only: the session may be open, here or elsewhere. With
// an error it is what could be read.
func Read(st *store.Store, id string) (*Conversation, error) {
	c := New(Config{ID: id})
	err := st.Read(id, func(e store.Entry) bool { c.restore(e); return true })
	return c, err
}

// restore takes in an entry of an earlier run. Nobody else knows the conversation yet.
func (c *Conversation) restore(s store.Entry) {
	e := item{first: c.next, turn: s.Turn, replay: s.Replay, paths: s.Paths}
	var err error
	switch s.Kind {
	case store.KindUpdate:
		err = acp.Unmarshal(s.Body, &e.update)
		if err != nil || e.update == nil {
			return
		}
		c.restoreUpdate(e, s)
		return
	case store.KindPrompt:
		err = acp.Unmarshal(s.Body, &e.prompt)
		e.refs = refsOf(s)
	case store.KindQueued:
		err = acp.Unmarshal(s.Body, &e.queued)
		e.refs = refsOf(s)
	case store.KindSent:
		e.sent = &Sent{}
		err = json.Unmarshal(s.Body, e.sent, jsontext.AllowInvalidUTF8(true))
	case store.KindNote:
		e.note = &Happening{}
		err = json.Unmarshal(s.Body, e.note)
	case store.KindEnd:
		e.end = &End{}
		err = json.Unmarshal(s.Body, e.end)
	case store.KindGap:
		e.note = &Happening{Type: "not_saved", Message: "Part of this conversation was not saved or can no longer be read."}
	default:
		return // of a newer version
	}
	if err == nil {
		c.items = append(c.items, e)
	}
}

func refsOf(s store.Entry) (refs []ContextRef) {
	if len(s.Refs) == 0 || json.Unmarshal(s.Refs, &refs) != nil {
		return nil // the prompt counts without them
	}
	return refs
}

// restoreUpdate takes in an update, or some chunks of a run.
func (c *Conversation) restoreUpdate(e item, s store.Entry) {
	if s.First > c.next && s.First-c.next <= maxGap {
		c.next = s.First // after a gap the numbers go on
	}
	e.first = c.next
	text := PlainText(e.update)
	if text == nil || len(s.Ends) == 0 || int(s.Ends[len(s.Ends)-1]) != len(text.Text) || !slices.IsSorted(s.Ends) {
		c.items = append(c.items, e)
		c.next++
		return
	}
	c.next += uint64(len(s.Ends))
	if n := len(c.items); n > 0 {
		last := &c.items[n-1]
		if last.ends != nil && last.last()+1 == e.first && last.turn == e.turn && last.replay == e.replay && len(last.text) < maxRun && SameMessage(last.update, e.update) {
			at := uint32(len(last.text))
			last.text = append(last.text, text.Text...)
			for _, end := range s.Ends {
				last.ends = append(last.ends, at+end)
			}
			return
		}
	}
	e.text, e.ends = []byte(text.Text), s.Ends
	e.update = WithText(e.update, "")
	c.items = append(c.items, e)
}

// closeOpen closes what was open when the earlier run ended, and returns the prompts that were cut off.
func (c *Conversation) closeOpen() (lost []LostPrompt) {
	var calls []acp.ToolCallID // in the order in which they were first seen
	ended := map[acp.ToolCallID]bool{}
	var running *LostPrompt
	var queued []LostPrompt
	unqueue := func(turn string) {
		queued = slices.DeleteFunc(queued, func(l LostPrompt) bool { return l.Turn == turn })
	}
	c.each(func(e *item) {
		if u := acp.CallOf(e.update); u != nil {
			_, seen := ended[u.ToolCallID]
			if !seen {
				calls = append(calls, u.ToolCallID)
			}
			if !seen || u.Status != nil {
				ended[u.ToolCallID] = Ended(u.Status)
			}
		}
		switch {
		case e.prompt != nil && running != nil && running.Turn == e.turn: // added while it ran
			running.Prompt = append(running.Prompt, e.prompt...)
		case e.prompt != nil:
			unqueue(e.turn)
			running = &LostPrompt{Turn: e.turn, Prompt: slices.Clone(e.prompt), Refs: e.refs, Sent: true}
		case e.queued != nil:
			unqueue(e.turn)
			queued = append(queued, LostPrompt{Turn: e.turn, Prompt: e.queued, Refs: e.refs})
		case e.end != nil && running != nil && e.turn == running.Turn:
			running.Over = true
			if !e.end.Lost {
				running = nil
			}
		case e.end != nil:
			unqueue(e.turn)
		}
	})
	if n := len(c.items); n > 0 {
		c.run = len(c.items[n-1].ends) // the last run is saved
	}
	turn := ""
	if running != nil && !running.Over {
		turn = running.Turn
	}
	for _, id := range calls {
		if !ended[id] {
			c.Add(&Message{Turn: turn, Message: acp.NewUpdate("", CancelledCall(id))})
		}
	}
	if turn != "" {
		c.put(item{turn: turn, end: &End{StopReason: StopReasonError, Message: "the bridge ended in the middle of it", Lost: true}})
	}
	for _, l := range queued {
		c.put(item{turn: l.Turn, end: &End{StopReason: acp.StopReasonCancelled}})
	}
	if running != nil {
		lost = append(lost, *running)
	}
	return append(lost, queued...)
}
