package acp

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/internal/outbound"
)

// calls are our calls that have no answer yet. A call is taken out once: by its
// answer, by its caller who gives up, or by the end of the connection.
type calls struct {
	mu      sync.Mutex
	last    int64 // the id of the last one
	waiting map[int64]*call
	ended   error // what a call gets from now on; nil while the connection lives
}

// call is one of them. Who takes it out ends it, and only then are result and err
// there.
type call struct {
	answered func() // see WhenAnswered; may be nil
	done     chan struct{}
	result   jsontext.Value
	err      error
}

func (w *call) end(result jsontext.Value, err error) {
	w.result, w.err = result, err
	close(w.done)
}

// add gives a call its id; 0 if it is too late.
func (s *calls) add(w *call) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != nil {
		return 0
	}
	s.last++
	s.waiting[s.last] = w
	return s.last
}

// take takes a call out; nil if it has been already.
func (s *calls) take(id int64) *call {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.waiting[id]
	delete(s.waiting, id)
	return w
}

// end fails all calls, those of the future too.
func (s *calls) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = err
	for id, w := range s.waiting {
		delete(s.waiting, id)
		w.end(nil, err)
	}
}

// Call calls a method of the peer: params an object or array, nil for none. When
// it returns, every notification and request that came before the response has
// been given to the Handler. The function of this name is for typed calls.
//
// An error response is returned as *Error. When ctx ends first, Call returns
// ctx.Err() at once and the peer is told by $/cancel_request; of a request that
// ctx has ended before it was sent the peer hears nothing. When the connection
// ends first, the error wraps ErrClosed. Not to be called by a Handler on the
// reading goroutine.
func (c *Conn) Call(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	params, err := encodeParams(params)
	if err != nil {
		return nil, fmt.Errorf("call %s: encode params: %w", method, err)
	}
	if err := c.admit(ctx); err != nil {
		return nil, err
	}
	w := &call{done: make(chan struct{})}
	w.answered, _ = ctx.Value(answeredKey{}).(func())
	id := c.calls.add(w)
	if id == 0 {
		return nil, c.closedError()
	}
	end, err := c.send(false, func(b []byte) []byte {
		Queued(ctx) // before the peer can know of it, and do what follows from it
		return appendMessage(b, method, params, id)
	})
	if err != nil {
		c.calls.take(id)
		return nil, c.refused(err)
	}
	if d, ok := ctx.Value(deliveryKey{}).(*Delivery); ok {
		d.queued(c.out, end)
	}
	if back, ok := ctx.Value(takenBackBy{}).(context.Context); ok {
		defer context.AfterFunc(back, func() { c.cancelCall(id) })()
	}
	select {
	case <-w.done:
	case <-ctx.Done():
		if c.calls.take(id) != nil {
			c.cancelCall(id)
			return nil, ctx.Err()
		}
		<-w.done // it is being answered
	}
	return w.result, w.err
}

// Notify sends a notification. It returns when the message is queued; it waits
// only if the peer has not read for a long time, and then no longer than ctx.
func (c *Conn) Notify(ctx context.Context, method string, params any) error {
	raw, err := encodeParams(params)
	if err != nil {
		return fmt.Errorf("notify %s: encode params: %w", method, err)
	}
	if err := c.notify(ctx, method, raw, false); err != nil {
		return err
	}
	Queued(ctx)
	return nil
}

// Forward is Notify for a message of another Conn, whose params need no check.
// With More, another message follows at once, and this one may wait for it: many
// small messages travel together then.
func (c *Conn) Forward(ctx context.Context, m *Message) error {
	return c.notify(ctx, m.Method, m.Params(), m.More)
}

func (c *Conn) notify(ctx context.Context, method string, params jsontext.Value, more bool) error {
	if err := c.admit(ctx); err != nil {
		return err
	}
	if _, err := c.send(more, func(b []byte) []byte { return appendMessage(b, method, params, 0) }); err != nil {
		return c.refused(err)
	}
	return nil
}

// Flush sends what waits for more. Who has forwarded a message with More and has nothing more calls it.
func (c *Conn) Flush() { c.out.Flush() }

// admit waits for room in the queue.
func (c *Conn) admit(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.life.Err() != nil {
		return c.closedError()
	}
	err := c.out.Admit(ctx)
	if err == nil || ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return err
	}
	return c.refused(err)
}

// refused is the error of a line that the queue has not taken.
func (c *Conn) refused(err error) error {
	if errors.Is(err, outbound.ErrClosed) {
		return c.closedError()
	}
	return fmt.Errorf("%w: %w", ErrClosed, err)
}

// cancelCall tells the peer that nobody waits for an answer any more. It does
// not ask for room: the caller has run out of time already.
func (c *Conn) cancelCall(id int64) {
	params := fmt.Appendf(nil, `{"requestId":%d}`, id)
	_, _ = c.send(false, func(b []byte) []byte { return appendMessage(b, MethodCancelRequest, params, 0) })
}

// encodeParams returns the params for the wire, nil for none.
func encodeParams(params any) (jsontext.Value, error) {
	if raw, ok := params.(jsontext.Value); params == nil || ok && raw == nil {
		return nil, nil
	}
	return encode(params)
}

// encode returns v as JSON on one line, a raw value as it is.
func encode(v any) (jsontext.Value, error) {
	if raw, ok := v.(jsontext.Value); ok {
		return oneLine(raw)
	}
	return Marshal(v)
}
