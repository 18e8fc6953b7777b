package bridge

import (
	"context"
	"sync"

	"github.com/copilot-bridge/copilot-bridge/bridge/conversation"
)

// outbox carries events to the editor: any goroutine pushes and never waits, one goroutine shows. While the editor is
// slow, adjacent text chunks of one message merge, so that what waits is bounded by text, not by the number of chunks.
// Nothing is dropped and nothing overtakes.
type outbox struct {
	mu      sync.Mutex
	over    bool // nothing is shown any more
	items   []Event
	tail    *tailChunk // the text being merged into the last item, nil if that is no text
	passing bool       // an item is being shown that was never in items
	pushed  uint64     // items queued so far; a merged chunk is part of its item
	shown   uint64     // of those, how many the editor has been shown
	wake    chan struct{}
	waits   []waiter
	// deliver gets every event in its turn, and shows it or what it stands for, if the editor is to see anything.
	deliver func(ev Event, show func(Event))
	bytes   int           // of the messages in items
	room    chan struct{} // closed when there is room again; nil while nobody waits
}

// tailChunk is the last queued text chunk, growable.
type tailChunk struct {
	up   *Update
	text []byte
}

type waiter struct {
	upto uint64
	done chan struct{}
}

func newOutbox(deliver func(ev Event, show func(Event))) *outbox {
	return &outbox{wake: make(chan struct{}, 1), deliver: deliver}
}

// admit waits while too much waits for the editor, for messages that cannot be merged.
func (o *outbox) admit(ctx context.Context) {
	for {
		o.mu.Lock()
		if o.over || len(o.items) < maxWaiting && o.bytes < maxWaitingBytes {
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

// weight is how many bytes of a message wait.
func weight(ev Event) (n int) {
	switch ev := ev.(type) {
	case *Message:
		return len(ev.Params)
	case *slot:
		for _, e := range ev.events {
			n += weight(e)
		}
	}
	return n
}

// push queues an event.
func (o *outbox) push(ev Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.tail != nil && o.merge(ev) {
		return
	}
	o.seal()
	o.pushed++
	o.bytes += weight(ev)
	o.items = append(o.items, ev)
	if up, ok := ev.(*Update); ok {
		if t := conversation.PlainText(up.Update); t != nil {
			o.tail = &tailChunk{up: up}
		}
	}
	o.rouse()
}

// rouse has run look at the items.
func (o *outbox) rouse() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// merge adds the text of ev to the last queued chunk if it goes on the same message. Caller holds mu.
func (o *outbox) merge(ev Event) bool {
	up, ok := ev.(*Update)
	if !ok || up.Session != o.tail.up.Session || up.Turn != o.tail.up.Turn || up.Replay != o.tail.up.Replay {
		return false
	}
	text := conversation.PlainText(up.Update)
	if text == nil || !conversation.SameMessage(o.tail.up.Update, up.Update) {
		return false
	}
	if o.tail.text == nil {
		o.tail.text = append(o.tail.text, conversation.PlainText(o.tail.up.Update).Text...)
	}
	o.tail.text = append(o.tail.text, text.Text...)
	return true
}

// seal fixes the text that was merged. Caller holds mu.
func (o *outbox) seal() {
	if o.tail != nil && o.tail.text != nil {
		o.tail.up.Update = conversation.WithText(o.tail.up.Update, string(o.tail.text))
	}
	o.tail = nil
}

// run shows events until ctx ends.
func (o *outbox) run(ctx context.Context, ed Editor) {
	show := func(ev Event) { ed.Show(ctx, ev) }
	for {
		ev := o.next()
		if ev == nil {
			select {
			case <-o.wake:
				continue
			case <-ctx.Done():
				o.release()
				return
			}
		}
		if p, ok := ev.(*slot); ok {
			for _, ev := range p.events {
				o.deliver(ev, show)
			}
		} else {
			o.deliver(ev, show)
		}
		o.done()
	}
}

func (o *outbox) next() Event {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.items) == 0 || o.passing {
		return nil
	}
	if len(o.items) == 1 {
		o.seal()
	}
	ev := o.items[0]
	if m, ok := ev.(*Message); ok && len(o.items) > 1 {
		next, ok := o.items[1].(*Message)
		m.More = ok && next.Request == nil
	}
	if p, ok := ev.(*slot); ok && !p.full {
		p.first()
		return nil
	}
	o.items[0] = nil
	o.items = o.items[1:]
	o.bytes -= weight(ev)
	if o.room != nil && len(o.items) < maxWaiting/2 && o.bytes < maxWaitingBytes/2 {
		close(o.room)
		o.room = nil
	}
	return ev
}

func (o *outbox) done() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.shown++
	rest := o.waits[:0]
	for _, w := range o.waits {
		if o.shown >= w.upto {
			close(w.done)
			continue
		}
		rest = append(rest, w)
	}
	o.waits = rest
}

func (o *outbox) release() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, w := range o.waits {
		close(w.done)
	}
	o.waits, o.over = nil, true
	if o.room != nil {
		close(o.room)
		o.room = nil
	}
	for _, ev := range o.items {
		if p, ok := ev.(*slot); ok && p.turn != nil {
			p.first()
		}
	}
}

// flush waits until the editor has been shown everything pushed so far.
func (o *outbox) flush(ctx context.Context) {
	o.mu.Lock()
	if o.shown >= o.pushed || o.over {
		o.mu.Unlock()
		return
	}
	w := waiter{upto: o.pushed, done: make(chan struct{})}
	o.waits = append(o.waits, w)
	o.mu.Unlock()
	select {
	case <-w.done:
	case <-ctx.Done():
	}
}
