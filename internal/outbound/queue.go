package outbound

import (
	"context"
	"errors"
	"io"
	"sync"
)

// ErrClosed is the error of a queue that takes nothing more because of Close.
var ErrClosed = errors.New("the outbound queue is closed")

const (
	// writePiece is how much is written at once: what a pipe holds. Smaller
	// pieces let Close see whether the peer still reads.
	writePiece = 64 << 10

	// keepBuffer is the largest buffer kept for reuse, so that one large
	// message does not stay in memory for the life of the queue.
	keepBuffer = 256 << 10
)

// Queue is the only one who writes to a peer: the bytes that wait, and the
// goroutine that writes them. All its methods may be called from any goroutine.
//
// Appending never waits. Whoever can wait asks Admit for room first; the side
// that reads from the peer never does, so that reader and writer cannot wait for
// each other while the peer, likewise, waits for its own writes.
//
// What finds the queue empty does not wake the goroutine if the transport takes
// it at once. Waking costs more than writing: an answer of 10 KB reached the
// agent in 28 µs instead of 33 on a busy machine, of 77 on an idle one, where a
// second processor has to be woken too.
type Queue struct {
	w      io.Writer
	limit  int
	failed func(error)
	now    func(p []byte) int // see writeNow; nil where impossible

	mu      sync.Mutex
	wake    sync.Cond     // something is pending, or closed
	pending []byte        // not yet taken by the goroutine
	spare   []byte        // the buffer it will swap in next
	taken   int           // bytes it has taken and not yet written
	held    bool          // pending waits for more, and nobody has been woken for it
	room    chan struct{} // closed when there is room again; nil while nobody waits
	queued  uint64        // bytes accepted in all
	written uint64        // bytes in all; shows progress
	closed  bool          // nothing more is accepted
	err     error         // writing has failed

	done chan struct{} // the goroutine has ended
}

// New starts a queue to w. limit is how many bytes may wait before Admit does.
// When writing fails, failed is called once, on the goroutine that writes; it may
// be nil. If w is a [syscall.Conn], the descriptor is also written to directly.
// The goroutine ends when writing fails and after Close, when what was queued is
// written.
func New(w io.Writer, limit int, failed func(error)) *Queue {
	q := &Queue{w: w, limit: limit, failed: failed, now: writeNow(w), done: make(chan struct{})}
	q.wake.L = &q.mu
	go q.run()
	return q
}

// Admit waits until less than the limit waits to be written, so that one message
// larger than the limit can be sent too. The error is that of ctx, or says why
// nothing more can be sent.
func (q *Queue) Admit(ctx context.Context) error {
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
func (q *Queue) hasRoom() (<-chan struct{}, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.refusal(); err != nil || len(q.pending)+q.taken < q.limit {
		return nil, err
	}
	if q.room == nil {
		q.room = make(chan struct{})
	}
	return q.room, nil
}

// refusal says why nothing more is accepted, nil while it is. Precondition: caller
// holds mu.
func (q *Queue) refusal() error {
	if q.err == nil && q.closed {
		return ErrClosed
	}
	return q.err
}

// Full reports whether Admit would wait.
func (q *Queue) Full() bool {
	room, _ := q.hasRoom()
	return room != nil
}

// Write queues p, see Append. It implements [io.Writer] for a library that frames
// messages itself, each in one Write.
func (q *Queue) Write(p []byte) (int, error) {
	if _, err := q.Append(false, func(b []byte) []byte { return append(b, p...) }); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Append queues what add appends to the bytes it is given, which it must not
// change; add runs under the queue's lock, in the order of the wire. With more,
// another call follows at once: these bytes may wait for it, see Flush. end is
// where they end, see Lost. After Close or a failure add does not run.
func (q *Queue) Append(more bool, add func([]byte) []byte) (end uint64, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.refusal(); err != nil {
		return 0, err
	}
	start, held := len(q.pending), q.held
	q.pending = add(q.pending)
	q.queued += uint64(len(q.pending) - start)
	switch q.held = more && len(q.pending) < writePiece; {
	case q.held:
	case q.taken > 0, start > 0 && !held, !q.wroteAll():
		q.wake.Signal()
	}
	return q.queued, nil
}

// Flush sends what waits for more.
func (q *Queue) Flush() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.held {
		return
	}
	q.held = false
	if q.taken == 0 && q.err == nil && !q.wroteAll() {
		q.wake.Signal()
	}
}

// wroteAll writes pending, as much as goes without waiting, and reports whether
// that was all. Precondition: caller holds mu, nothing is being written.
func (q *Queue) wroteAll() bool {
	if q.now == nil || len(q.pending) > writePiece {
		return false
	}
	n := q.now(q.pending)
	q.written += uint64(n)
	q.pending = q.pending[:copy(q.pending, q.pending[n:])]
	return len(q.pending) == 0
}

// Lost says that what ends at end was not written and never will be.
func (q *Queue) Lost(end uint64) bool {
	select {
	case <-q.done:
		return q.Written() < end
	default:
		return false
	}
}

// Written is how many bytes have been written.
func (q *Queue) Written() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.written
}
