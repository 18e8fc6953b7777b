package acp

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"
)

// Request is a request of the peer. It is answered exactly once: by the first
// Reply, or by the connection when it ends before that.
type Request struct {
	method string
	params jsontext.Value
	id     string // raw
	key    string // equal for ids that a peer cannot tell apart

	ctx      context.Context
	cancel   context.CancelCauseFunc
	open     *openRequests
	answered atomic.Bool
	done     chan struct{} // closed once result and err are set
	result   jsontext.Value
	err      *Error
}

// Method returns the method, which may be one that ACP does not know.
func (r *Request) Method() string { return r.method }

// Params returns the raw params, an object or array, nil if there were none.
// They are the caller's to keep.
func (r *Request) Params() jsontext.Value { return r.params }

// ID returns the id as JSON, as the peer wrote it: 7 or "abc".
func (r *Request) ID() string { return r.id }

// Context ends when the peer cancels the request, when it has been answered and
// when the connection ends; context.Cause wraps ErrClosed in the last case.
func (r *Request) Context() context.Context { return r.ctx }

// Reply answers the request with result, or with err if that is not nil: an
// *Error goes out as it is, context.Canceled as "request cancelled" (-32800),
// anything else as an internal error. A nil result is sent as {}.
//
// Only the first call counts; the others return false and do nothing. Reply may
// be called from any goroutine and does not wait for the peer.
func (r *Request) Reply(result any, err error) bool {
	if !r.answered.CompareAndSwap(false, true) {
		return false
	}
	if err == nil {
		r.result, err = encodeResult(result)
	}
	if err != nil {
		r.err = answerError(err)
	}
	r.open.remove(r)
	close(r.done)
	r.cancel(nil)
	return true
}

// replied reports whether result and err are set.
func (r *Request) replied() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

func encodeResult(result any) (raw jsontext.Value, err error) {
	if raw, ok := result.(jsontext.Value); result == nil || ok && raw == nil {
		return jsontext.Value("{}"), nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("encode the result: panic: %v", p)
		}
	}()
	raw, err = encode(result)
	if err != nil {
		return nil, fmt.Errorf("encode the result: %w", err)
	}
	return raw, nil
}

// openRequests are the peer's requests: those that nobody has replied to, by
// id, and the number of those whose answer is not in the write queue yet.
type openRequests struct {
	mu      sync.Mutex
	byKey   map[string]*Request
	ended   *Error // what a request gets from now on; nil while the connection lives
	unsent  int
	settled chan struct{} // closed when unsent gets to 0; nil while nobody waits
}

// add registers a request, or returns what to answer it with at once.
func (o *openRequests) add(r *Request) *Error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.ended != nil:
		return o.ended
	case o.byKey[r.key] != nil:
		return Errorf(CodeInvalidRequest, "id %s is in use by an earlier request that has no answer yet", r.id)
	case len(o.byKey) >= maxOpenRequests:
		return Errorf(CodeInternal, "%d requests are open already; wait for answers", maxOpenRequests)
	}
	o.byKey[r.key] = r
	return nil
}

func (o *openRequests) remove(r *Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.byKey[r.key] == r {
		delete(o.byKey, r.key)
	}
}

// cancel ends the context of the request with that id, if it is still open.
func (o *openRequests) cancel(key string) bool {
	o.mu.Lock()
	r := o.byKey[key]
	o.mu.Unlock()
	if r == nil {
		return false
	}
	r.cancel(context.Canceled)
	return true
}

// end answers all requests, those of the future too.
func (o *openRequests) end(e *Error) {
	o.mu.Lock()
	if o.ended == nil {
		o.ended = e
	}
	all := make([]*Request, 0, len(o.byKey))
	for _, r := range o.byKey {
		all = append(all, r)
	}
	o.mu.Unlock()
	for _, r := range all {
		r.Reply(nil, e)
	}
}

// received counts a request that the library will answer, sent its answer.
func (o *openRequests) received() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.unsent++
}

func (o *openRequests) sent() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.unsent--; o.unsent == 0 && o.settled != nil {
		close(o.settled)
		o.settled = nil
	}
}

// allSent returns a channel that is closed when every answer has been queued.
func (o *openRequests) allSent() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.unsent == 0 {
		done := make(chan struct{})
		close(done)
		return done
	}
	if o.settled == nil {
		o.settled = make(chan struct{})
	}
	return o.settled
}
