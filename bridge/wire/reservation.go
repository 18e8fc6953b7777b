package wire

import (
	"context"
	"time"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// Reservation is a place in the order in which the editor is shown things. That of a message of the agent's is taken on its reading
// goroutine, so that the order of the wire holds over all sessions. What comes behind it waits until it is filled: by the
// session's goroutine, at once, or by the goroutine that serves a request of the agent, with the first message to the editor that the
// request makes. All that it holds is guarded by the outbox's mu until it is taken out.
type Reservation struct {
	o              *Outbox
	before, behind *Reservation
	events         []conversation.Event // to be shown there
	one            [1]conversation.Event
	full           bool
	bytes          int           // of the agent's in events, where they are not merged
	stands         uint64        // for how many places: others were merged into it
	text           []byte        // of the only event and of what was merged into it; nil while that is nothing
	turn           chan struct{} // closed when all before it has been shown; nil while nobody waits
	reached        bool          // it has been
}

// Fill says what is to be shown at a place, which may be nothing. Only the first call counts. The nil place is of what
// keeps no order.
func (p *Reservation) Fill(events ...conversation.Event) {
	if p == nil {
		return
	}
	p.o.mu.Lock()
	defer p.o.mu.Unlock()
	if !p.full {
		p.o.fill(p, events)
	}
}

// absorbs merges the text of other, which is the next place, into p, if it goes on the same message.
func (p *Reservation) absorbs(other *Reservation) bool {
	if len(other.events) != 1 || !p.joins(other.events[0]) {
		return false
	}
	if other.text != nil {
		p.text = append(p.text, other.text...)
	} else {
		_, text := textOf(other.events[0])
		p.text = append(p.text, text.Text...)
	}
	p.stands += other.stands
	p.o.unlink(other)
	return true
}

// takes merges an event that has no place of its own, as absorbs does.
func (p *Reservation) takes(ev conversation.Event) bool {
	if p == nil || !p.full || !p.joins(ev) {
		return false
	}
	_, text := textOf(ev)
	p.text = append(p.text, text.Text...)
	return true
}

// joins says whether ev goes on the message that is all that p holds, and makes the text of p ready to grow.
func (p *Reservation) joins(ev conversation.Event) bool {
	if len(p.events) != 1 {
		return false
	}
	mine, text := textOf(p.events[0])
	m, more := textOf(ev)
	if text == nil || more == nil || m.Session != mine.Session || m.Turn != mine.Turn || m.Replay != mine.Replay || !conversation.SameMessage(mine.Update(), m.Update()) {
		return false
	}
	if p.text == nil {
		p.text = append(p.text, text.Text...)
	}
	return true
}

// seal fixes the text that was merged.
func (p *Reservation) seal() {
	if p.text == nil {
		return
	}
	m := p.events[0].(*conversation.Message)
	m.Message = acp.NewUpdate(m.SessionID(), conversation.WithText(m.Update(), string(p.text)))
	p.text = nil
}

// notification is what a place holds if that is one and nothing else, nil otherwise.
func (p *Reservation) notification() *conversation.Message {
	if p == nil || len(p.events) != 1 {
		return nil
	}
	m, _ := p.events[0].(*conversation.Message)
	if m == nil || m.Request != nil {
		return nil
	}
	return m
}

// come is called when a place is the first that waits. The caller holds mu.
func (p *Reservation) come() {
	p.reached = true
	if p.turn != nil {
		close(p.turn)
		p.turn = nil
	}
}

// Await waits until all that comes before the place has been shown. The error is ctx's.
func (p *Reservation) Await(ctx context.Context) error {
	o := p.o
	o.mu.Lock()
	if p.full || o.over || p.reached {
		o.mu.Unlock()
		return nil
	}
	if p.turn == nil {
		p.turn = make(chan struct{})
	}
	turn := p.turn
	o.rouse() // it may be the first already
	o.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Lend gives a request its place for a while, until the timer that is returned is stopped: one that asks the editor for nothing must not hold up what comes behind it.
func (p *Reservation) Lend() *time.Timer {
	return time.AfterFunc(maxHeld, func() { p.Fill() })
}
