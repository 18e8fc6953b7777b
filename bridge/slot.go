package bridge

import (
	"context"
	"time"
)

// slot is a place in the order in which the editor is shown things, taken on the agent's reading goroutine before it
// is known what stands there. What comes behind it waits. It is filled by the session's goroutine, at once, or by
// whoever serves a request of the agent, with the first message to the editor that the request makes.
type slot struct {
	o      *outbox
	events []Event // to be shown there
	full   bool    // guarded by the outbox's mu, as events is until then
	turn   chan struct{}
	come   bool // turn is closed: all before it has been shown
}

func (*slot) IsEvent() {}

// reserve takes the next place.
func (o *outbox) reserve() *slot {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seal()
	p := &slot{o: o}
	o.pushed++
	o.items = append(o.items, p)
	return p
}

// fill says what is to be shown at a place, which may be nothing. Only the first call counts.
func (p *slot) fill(events ...Event) {
	if p == nil {
		return
	}
	o := p.o
	o.mu.Lock()
	defer o.mu.Unlock()
	if p.full {
		return
	}
	p.events, p.full = events, true
	o.bytes += weight(p)
	o.rouse()
}

// reached waits until all that comes before the place has been shown. The error is ctx's.
func (p *slot) reached(ctx context.Context) error {
	o := p.o
	o.mu.Lock()
	if p.full || o.over || p.come {
		o.mu.Unlock()
		return nil
	}
	if p.turn == nil {
		p.turn = make(chan struct{})
	}
	turn := p.turn
	select {
	case o.wake <- struct{}{}: // it may be the first already
	default:
	}
	o.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// first is called when a place that is not full is the first in the queue. The caller holds mu.
func (p *slot) first() {
	p.come = true
	if p.turn != nil {
		close(p.turn)
		p.turn = nil
	}
}

// placeKey is where the context of a request of the agent carries its place.
type placeKey struct{}

// InTurn runs send, which puts a message to the editor on its way, where the message belongs: after all that the editor
// is shown first, and before what the agent has sent after the request that ctx belongs to. What no request of the agent
// has asked for, but an editor tool, goes at once. send must not wait for the editor's answer. It does not run when ctx ends
// before its turn; the error is ctx's then.
func (b *Bridge) InTurn(ctx context.Context, send func()) error {
	if p, _ := ctx.Value(placeKey{}).(*slot); p != nil {
		defer p.fill()
		if err := p.reached(ctx); err != nil {
			return err
		}
	}
	send()
	return nil
}

// InOrder has the front do something when it has shown the editor all that came before.
func (b *Bridge) InOrder(do func()) { b.out.push(&Deferred{do}) }

// AskInTurn is InTurn for a question to the person, which comes after the tool call that it is about, whoever asks.
func (b *Bridge) AskInTurn(ctx context.Context, send func()) error {
	if p, _ := ctx.Value(placeKey{}).(*slot); p == nil {
		b.out.flush(ctx)
	}
	return b.InTurn(ctx, send)
}

// hold gives the request its place for a while: one that asks the editor for nothing must not hold up what comes behind
// it.
func (p *slot) hold() *time.Timer {
	return time.AfterFunc(maxPlace, func() { p.fill() })
}
