package outbound

import (
	"fmt"
	"time"
)

// run writes what is queued until the queue is closed and empty, or writing
// fails.
func (q *Queue) run() {
	defer close(q.done)
	for {
		p := q.take()
		if p == nil {
			return
		}
		if err := q.write(p); err != nil {
			if q.failed != nil {
				q.failed(err)
			}
			return
		}
		q.recycle(p)
	}
}

func (q *Queue) take() []byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.pending) == 0 && !q.closed {
		q.wake.Wait()
	}
	if len(q.pending) == 0 {
		return nil
	}
	p := q.pending
	q.pending, q.spare = q.spare, nil
	q.taken, q.held = len(p), false
	return p
}

func (q *Queue) write(p []byte) error {
	for len(p) > 0 {
		n, err := q.w.Write(p[:min(len(p), writePiece)])
		p = p[n:]
		if err != nil {
			return q.fail(n, err)
		}
		q.progress(n)
	}
	return nil
}

func (q *Queue) progress(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.written += uint64(n)
	q.taken -= n
	if len(q.pending)+q.taken < q.limit {
		q.release()
	}
}

// release wakes everybody in Admit. Precondition: caller holds mu.
func (q *Queue) release() {
	if q.room != nil {
		close(q.room)
		q.room = nil
	}
}

func (q *Queue) recycle(p []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if cap(p) <= keepBuffer {
		q.spare = p[:0]
	}
}

// fail ends the writing, of which n more bytes have gone through.
func (q *Queue) fail(n int, err error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.written += uint64(n)
	q.err = fmt.Errorf("write to peer: %w", err)
	q.pending, q.taken = nil, 0
	q.release()
	return q.err
}

// Close accepts nothing more and waits until all is written, as long as the peer
// keeps reading: it gives up when stall passes without progress. The goroutine
// is then still in Write, which closing the transport is to end.
func (q *Queue) Close(stall time.Duration) {
	q.mu.Lock()
	q.closed = true
	q.release()
	q.wake.Signal()
	seen := q.written
	q.mu.Unlock()

	tick := time.NewTicker(stall)
	defer tick.Stop()
	for {
		select {
		case <-q.done:
			return
		case <-tick.C:
		}
		written := q.Written()
		if written == seen {
			return
		}
		seen = written
	}
}

// Done is closed when nothing more will be written.
func (q *Queue) Done() <-chan struct{} { return q.done }
