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
	conn     *Conn
	reword   func(result any, err error) (any, error) // nil: an answer goes as it is given
	answered atomic.Bool
	result   jsontext.Value // once answered, unless err is
	err      *Error
}

func (c *Conn) newRequest(method string, params jsontext.Value, id []byte) *Request {
	r := &Request{method: method, params: params, id: string(id), key: idKey(id), conn: c}
	r.ctx, r.cancel = context.WithCancelCause(c.life)
	return r
}

// idKey is the same for ids that are the same to JSON: "a" and "\u0061". A
// number and a string never are.
func idKey(raw []byte) string {
	if raw[0] == '"' {
		return `"` + unquote(raw[1:len(raw)-1])
	}
	if string(raw) == "-0" {
		return "0"
	}
	return string(raw)
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
	if r.reword != nil {
		result, err = r.reword(result, err)
	}
	if err == nil {
		r.result, err = encodeResult(result)
	}
	if err != nil {
		r.err = answerError(err)
	}
	r.cancel(nil)
	r.conn.answer(r)
	return true
}

// Reword has f change the answer before it goes out. It is called before anybody may reply, at most once.
func (r *Request) Reword(f func(result any, err error) (any, error)) { r.reword = f }

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

// openRequests are the peer's requests whose answer is not in the queue yet, by
// id.
type openRequests struct {
	mu    sync.Mutex
	byKey map[string]*Request
	ended *Error        // what a request gets from now on; nil while the connection lives
	none  chan struct{} // closed when there are none; nil while nobody waits
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
	if len(o.byKey) == 0 && o.none != nil {
		close(o.none)
		o.none = nil
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

// allAnswered returns a channel that is closed when every answer has been queued.
func (o *openRequests) allAnswered() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.none == nil {
		o.none = make(chan struct{})
	}
	none := o.none
	if len(o.byKey) == 0 {
		close(none)
		o.none = nil
	}
	return none
}
