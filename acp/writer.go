package acp

import (
	"context"
	"io"
	"math"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

// writer is the only one who writes to the peer: a queue of whole lines and the
// goroutine that empties it.
//
// Putting a line never waits. Whoever can wait asks admit for room first; the
// reading side never does, so that reader and writer cannot wait for each other
// while the peer, likewise, waits for its own writes.
//
// A line that finds the queue empty does not wake the goroutine if the transport
// takes it at once. Waking costs more than writing: an answer of 10 KB reached
// the agent in 28 µs instead of 33 on a busy machine, of 77 on an idle one, where
// a second processor has to be woken too.
type writer struct {
	w     io.Writer
	limit int                   // see queueLimit
	quick func(line []byte) int // see quickWrite; nil where impossible
	tap   func(line []byte)

	mu      sync.Mutex
	wake    sync.Cond     // lines are pending, or closed
	pending []byte        // lines not yet taken by the goroutine
	spare   []byte        // the buffer it will swap in next
	taken   int           // bytes it has taken and not yet written
	held    bool          // pending waits for more, and nobody has been woken for it
	forced  int           // bytes in pending that did not ask for room
	room    chan struct{} // closed when there is room again; nil while nobody waits
	lines   uint64        // accepted in all
	queued  uint64        // bytes accepted in all
	written uint64        // bytes in all; shows progress
	closed  bool          // no more lines are accepted
	err     error         // writing has failed
	aliases map[int64]string
	calls   map[int64]func() // our calls without an answer yet, and what runs when it is read; nil is nothing

	done chan struct{} // the goroutine has ended
}

func newWriter(w io.Writer) *writer {
	q := &writer{
		w: w, limit: queueLimit, quick: quickWrite(w), aliases: make(map[int64]string), calls: make(map[int64]func()), done: make(chan struct{}),
	}
	q.wake.L = &q.mu
	return q
}

// admit waits until there is room for another message, ctx ends, or nothing
// more can be sent.
func (q *writer) admit(ctx context.Context) error {
	for {
		room, err := q.hasRoom()
		if room == nil {
			return err
		}
		select {
		case <-room:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// hasRoom returns nil and nil if there is room, else a channel to wait on.
func (q *writer) hasRoom() (<-chan struct{}, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.err != nil:
		return nil, q.err
	case q.closed:
		return nil, ErrClosed
	case len(q.pending)+q.taken < q.limit:
		return nil, nil
	}
	if q.room == nil {
		q.room = make(chan struct{})
	}
	return q.room, nil
}

// full reports whether admit would wait.
func (q *writer) full() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.err == nil && !q.closed && len(q.pending)+q.taken >= q.limit
}

// put queues a message of the library and reports whether it is an answer, or
// which call it is, and where it ends, see lost. After the end lines are dropped silently: who sent them
// learns of the end otherwise.
func (q *writer) put(msg jsonrpc2.Message, answered func(), more bool) (isAnswer bool, call int64, end uint64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	start := len(q.pending)
	lines := q.restoreID(jsonrpc2.AppendMessage(q.pending, msg), start)
	isAnswer, call = outgoing(lines[start:])
	if call != 0 {
		q.calls[call] = answered
	}
	if end = math.MaxUint64; q.commit(lines, start, more) {
		end = q.queued
	}
	return isAnswer, call, end
}

// lost says that the line that ends at end was not written and never will be.
func (q *writer) lost(end uint64) bool {
	select {
	case <-q.done:
	default:
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.written < end
}

// settle forgets a call of ours and reports whether it was still waiting for
// its answer, and what is to run now that it is there; may be nil.
func (q *writer) settle(call int64) (answered func(), waiting bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	answered, waiting = q.calls[call]
	delete(q.calls, call)
	return answered, waiting
}

// force queues a line of the reading side. It reports false if the peer lets
// such lines pile up.
func (q *writer) force(line []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.forced += len(line); q.forced > forcedLimit {
		return false
	}
	start := len(q.pending)
	q.commit(append(q.pending, line...), start, false)
	return true
}

// commit accepts lines, which is pending with one line appended at start, unless
// it is too late. With more another one follows at once: the line may wait for it.
func (q *writer) commit(lines []byte, start int, more bool) bool {
	if q.closed || q.err != nil {
		return false
	}
	if q.tap != nil {
		q.tap(lines[start:])
	}
	q.lines++
	q.queued += uint64(len(lines)-start) + 1
	q.pending = append(lines, '\n')
	switch held := q.held; {
	case more && len(q.pending) < writePiece:
		q.held = true
	case q.taken > 0, start > 0 && !held, !q.wroteAtOnce():
		q.wake.Signal()
		q.held = false
	default:
		q.held = false
	}
	return true
}

// flush sends what waits for more.
func (q *writer) flush() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.held {
		return
	}
	q.held = false
	if q.taken == 0 && q.err == nil && !q.wroteAtOnce() {
		q.wake.Signal()
	}
}

// wroteAtOnce writes pending, as much as goes without waiting, and reports
// whether that was all. Precondition: caller holds mu, nothing is being written.
func (q *writer) wroteAtOnce() bool {
	if q.quick == nil || len(q.pending) > writePiece {
		return false
	}
	n := q.quick(q.pending)
	q.written += uint64(n)
	q.pending = q.pending[:copy(q.pending, q.pending[n:])]
	if len(q.pending) > 0 {
		return false
	}
	q.forced = 0
	return true
}
