package acp

import (
	"fmt"
	"time"
)

// run writes what is queued until the queue is closed and empty, or writing
// fails; failed is then called once.
func (q *writer) run(failed func(error)) {
	defer close(q.done)
	for {
		lines := q.take()
		if lines == nil {
			return
		}
		if err := q.write(lines); err != nil {
			failed(err)
			return
		}
		q.recycle(lines)
	}
}

func (q *writer) take() []byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.pending) == 0 && !q.closed {
		q.wake.Wait()
	}
	if len(q.pending) == 0 {
		return nil
	}
	lines := q.pending
	q.pending, q.spare = q.spare, nil
	q.taken, q.forced = len(lines), 0
	return lines
}

func (q *writer) write(lines []byte) error {
	for len(lines) > 0 {
		n, err := q.w.Write(lines[:min(len(lines), writePiece)])
		lines = lines[n:]
		if err != nil {
			return q.fail(n, err)
		}
		q.progress(n)
	}
	return nil
}

func (q *writer) progress(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.written += uint64(n)
	q.taken -= n
	if len(q.pending)+q.taken < q.limit {
		q.release()
	}
}

// release wakes everybody in admit. Precondition: caller holds mu.
func (q *writer) release() {
	if q.room != nil {
		close(q.room)
		q.room = nil
	}
}

func (q *writer) recycle(lines []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if cap(lines) <= keepBuffer {
		q.spare = lines[:0]
	}
}

// fail ends the writing, of which n more bytes have gone through.
func (q *writer) fail(n int, err error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.written += uint64(n)
	q.err = fmt.Errorf("%w: write to peer: %w", ErrClosed, err)
	q.pending, q.taken = nil, 0
	q.release()
	return q.err
}

// close accepts no more lines and waits until all are written, as long as the
// peer keeps reading: it gives up when stall passes without progress.
func (q *writer) close(stall time.Duration) {
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
		q.mu.Lock()
		stuck := q.written == seen
		seen = q.written
		q.mu.Unlock()
		if stuck {
			return
		}
	}
}
