package session

import "sync"

// inbox is the queue into a session: any goroutine puts and never waits, the session's goroutine takes. It is not
// bounded: step never waits for anybody, so what is in it is soon out again.
type inbox struct {
	mu     sync.Mutex
	items  []any
	spare  []any
	wake   chan struct{}
	closed bool
}

func newInbox() *inbox { return &inbox{wake: make(chan struct{}, 1)} }

// put queues an input; false after the session has ended.
func (q *inbox) put(in any) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.items = append(q.items, in)
	if len(q.items) == 1 {
		select {
		case q.wake <- struct{}{}:
		default:
		}
	}
	return true
}

// take returns all that is queued. The slice is valid until the next take.
func (q *inbox) take() []any {
	q.mu.Lock()
	defer q.mu.Unlock()
	got := q.items
	clear(q.spare[:cap(q.spare)])
	q.items, q.spare = q.spare[:0], got
	return got
}

// shut refuses further inputs and returns those that nobody took.
func (q *inbox) shut() []any {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	got := q.items
	q.items = nil
	return got
}
