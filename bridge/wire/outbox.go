package wire

import (
	"context"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/acp"
	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// Outbox is the one order in which the editor is shown things: any goroutine adds and never waits, one goroutine shows.
// What comes has a place in it as soon as it comes, and is put into the place when it is known what is shown there, which
// may be nothing; see [Reservation]. Nothing is dropped and nothing overtakes.
//
// Where the editor is shown text and not the agent's bytes, adjacent chunks of a message that wait are merged, so that what
// waits is bounded by text and not by the number of chunks. Else the agent waits, see [Outbox.Admit].
type Outbox struct {
	merges bool
	// deliver gets every event in its turn, and shows it or what it stands for, if the editor is to see anything.
	deliver func(ev conversation.Event, show func(conversation.Event))

	mu      sync.Mutex
	over    bool         // nothing is shown any more
	first   *Reservation // of those that wait
	last    *Reservation
	waiting int           // how many do
	bytes   int           // in the messages of those
	busy    bool          // something is being shown by ShowNow
	taken   uint64        // places taken so far
	shown   uint64        // of those, how many the editor has been shown
	wake    chan struct{} // the first place may be full
	flushes []waiter
	room    chan struct{} // closed when there is room again; nil while nobody waits
}

type waiter struct {
	upto uint64
	done chan struct{}
}

// New makes an outbox. merges is for an editor that is shown text, deliver gets every event in its turn: it is called by Run, and
// shows it or what it stands for, if the editor is to see anything.
func New(merges bool, deliver func(ev conversation.Event, show func(conversation.Event))) *Outbox {
	return &Outbox{merges: merges, wake: make(chan struct{}, 1), deliver: deliver}
}

// Reserve takes the next place.
func (o *Outbox) Reserve() *Reservation {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.add()
}

// Push takes the next place and fills it.
func (o *Outbox) Push(ev conversation.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.merges && o.last.takes(ev) {
		return
	}
	p := o.add()
	p.one[0] = ev
	o.fill(p, p.one[:])
}

// ShowNow is the short way of a message: its place is the next one, and show shows it at once, on the goroutine of the
// caller. That saves a copy, a queue and the waking of two goroutines, which is most of what a chunk of text costs. It is
// open while nothing waits and nothing is being shown; false says that it is not, and that nothing was done.
func (o *Outbox) ShowNow(show func()) bool {
	o.mu.Lock()
	if o.over || o.busy || o.shown != o.taken {
		o.mu.Unlock()
		return false
	}
	o.taken++
	o.busy = true
	o.mu.Unlock()
	defer func() {
		o.done(1)
		o.mu.Lock()
		defer o.mu.Unlock()
		o.busy = false
		if o.first != nil {
			o.rouse()
		}
	}()
	show()
	return true
}

// add makes the last place. The caller holds mu.
func (o *Outbox) add() *Reservation {
	p := &Reservation{o: o, before: o.last, stands: 1}
	if o.last == nil {
		o.first = p
	} else {
		o.last.behind = p
	}
	o.last = p
	o.taken++
	o.waiting++
	return p
}

// fill puts events into a place. The caller holds mu.
func (o *Outbox) fill(p *Reservation, events []conversation.Event) {
	p.events, p.full = events, true
	if !o.merges {
		for _, ev := range events {
			if m, ok := ev.(*conversation.Message); ok {
				p.bytes += m.Size()
			}
		}
		o.bytes += p.bytes
	} else {
		if p.behind != nil && p.behind.full {
			p.absorbs(p.behind)
		}
		if p.before != nil && p.before.full {
			p.before.absorbs(p)
		}
	}
	o.rouse()
}

// unlink takes a place out. The caller holds mu.
func (o *Outbox) unlink(p *Reservation) {
	if p.before == nil {
		o.first = p.behind
	} else {
		p.before.behind = p.behind
	}
	if p.behind == nil {
		o.last = p.before
	} else {
		p.behind.before = p.before
	}
	o.waiting--
}

func (o *Outbox) rouse() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// Full says whether Admit would wait.
func (o *Outbox) Full() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.crowded()
}

// crowded says whether too much waits for the editor. The caller holds mu.
func (o *Outbox) crowded() bool {
	return !o.over && (o.waiting >= maxWaiting || o.bytes >= maxWaitingBytes)
}

// Admit waits while too much waits for the editor, for messages that cannot be merged.
func (o *Outbox) Admit(ctx context.Context) {
	for {
		o.mu.Lock()
		if !o.crowded() {
			o.mu.Unlock()
			return
		}
		if o.room == nil {
			o.room = make(chan struct{})
		}
		room := o.room
		o.mu.Unlock()
		select {
		case <-room:
		case <-ctx.Done():
			return
		}
	}
}

// Run shows events until ctx ends.
func (o *Outbox) Run(ctx context.Context, to func(context.Context, conversation.Event)) {
	show := func(ev conversation.Event) { to(ctx, ev) }
	for {
		p := o.next()
		if p == nil {
			select {
			case <-o.wake:
				continue
			case <-ctx.Done():
				o.release()
				return
			}
		}
		for _, ev := range p.events {
			o.deliver(ev, show)
		}
		o.done(p.stands)
	}
}

// next takes the first place out, if it is full.
func (o *Outbox) next() *Reservation {
	o.mu.Lock()
	defer o.mu.Unlock()
	p := o.first
	switch {
	case p == nil || o.busy:
		return nil
	case !p.full:
		p.come()
		return nil
	}
	o.unlink(p)
	p.seal()
	if m := p.notification(); m != nil {
		m.More = o.first.notification() != nil
	}
	o.bytes -= p.bytes
	if o.room != nil && o.waiting < maxWaiting/2 && o.bytes < maxWaitingBytes/2 {
		close(o.room)
		o.room = nil
	}
	return p
}

func (o *Outbox) done(places uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.shown += places
	rest := o.flushes[:0]
	for _, w := range o.flushes {
		if o.shown >= w.upto {
			close(w.done)
			continue
		}
		rest = append(rest, w)
	}
	o.flushes = rest
}

func (o *Outbox) release() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, w := range o.flushes {
		close(w.done)
	}
	o.flushes, o.over = nil, true
	if o.room != nil {
		close(o.room)
		o.room = nil
	}
	for p := o.first; p != nil; p = p.behind {
		p.come()
	}
}

// Flush waits until the editor has been shown everything that has a place so far.
func (o *Outbox) Flush(ctx context.Context) {
	o.mu.Lock()
	if o.shown >= o.taken || o.over {
		o.mu.Unlock()
		return
	}
	w := waiter{upto: o.taken, done: make(chan struct{})}
	o.flushes = append(o.flushes, w)
	o.mu.Unlock()
	select {
	case <-w.done:
	case <-ctx.Done():
	}
}

// textOf is the message of an event that is a chunk of text that may be merged, and the text.
func textOf(ev conversation.Event) (*conversation.Message, *acp.TextContent) {
	m, ok := ev.(*conversation.Message)
	if !ok || m.Request != nil {
		return nil, nil
	}
	return m, conversation.PlainText(m.Update())
}
