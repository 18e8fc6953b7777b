package conversation

import "slices"

// Since is what the editor was shown after number seq, merged where it was, and the number of the newest update. The first one
// may be the rest of a run. Seq of a merged one is that of its last chunk.
func (c *Conversation) Since(seq uint64) ([]Event, uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []Event
	for i := range c.items {
		e := &c.items[i]
		switch {
		case e.update == nil && e.shown:
			for _, ev := range e.asReplayed(c.cfg.ID) {
				if numberOf(ev) > seq {
					out = append(out, ev)
				}
			}
		case e.update != nil && e.last() > seq:
			from := uint32(0)
			if e.ends != nil && seq >= e.first {
				from = e.ends[seq-e.first]
			}
			out = append(out, e.asMessage(c.cfg.ID, from))
		}
	}
	return out, c.next - 1
}

// Replay is the whole session as it is shown to an editor that does not know it: the user's prompts too, which an editor
// knows that sent them, and what else happened. All of it is numbered anew, from 1 and without gaps, and what comes next
// goes on from there. So it is called where it is shown, by the goroutine that shows.
func (c *Conversation) Replay() []Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.saveRun() // with the numbers that its chunks were shown with
	out := renumber(c.cfg.ID, c.items)
	if n := len(c.items); n > 0 {
		c.run = len(c.items[n-1].ends)
	}
	c.next = uint64(len(out)) + 1
	return out
}

// Preview is what Replay would show, and the number of the newest update. It changes nothing: updates keep the numbers
// that they were shown under, those of the list are its own.
func (c *Conversation) Preview() ([]Event, uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return renumber(c.cfg.ID, slices.Clone(c.items)), c.next - 1
}

// Updates are the updates of Replay.
func (c *Conversation) Updates() (out []*Message) {
	for _, ev := range c.Replay() {
		if u, ok := ev.(*Message); ok {
			out = append(out, u)
		}
	}
	return out
}

// renumber gives items numbers from 1 on as far as they are shown in a replay, runs as one, and returns what is shown.
func renumber(session string, items []item) (out []Event) {
	next := uint64(1)
	turn := "" // the last one that began
	for i := range items {
		e := &items[i]
		e.first = next
		if e.prompt != nil {
			turn = e.turn
		}
		switch {
		case e.update != nil:
			if e.ends != nil { // a run is shown as one
				e.ends = []uint32{uint32(len(e.text))}
			}
			u := e.asMessage(session, 0)
			u.Replay = true
			out = append(out, u)
			next++
		case e.end == nil || e.turn == turn: // else of a prompt that never ran
			list := e.asReplayed(session)
			e.shown = len(list) > 0
			out = append(out, list...)
			next += uint64(len(list))
		}
	}
	return out
}
