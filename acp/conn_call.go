package acp

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/jsonrpc2"
)

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
	raw, err := encodeParams(params)
	if err != nil {
		return nil, fmt.Errorf("call %s: encode params: %w", method, err)
	}
	return c.call(ctx, method, raw)
}

func (c *Conn) call(ctx context.Context, method string, params jsonrpc2.RawMessage) (jsontext.Value, error) {
	if err := c.admit(ctx); err != nil {
		return nil, err
	}
	bound, release := c.bind(ctx)
	defer release()
	if back, ok := ctx.Value(takenBackBy{}).(*takeBack); ok {
		defer back.answered()
	}

	var answer jsonrpc2.RawMessage
	id, err := c.rpc.Call(bound, method, params, &answer)
	call, _ := id.Number()
	c.out.settle(call)
	switch {
	case err == nil:
		return jsontext.Value(answer), nil
	case peerError(err) != nil:
		return nil, peerError(err)
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		c.cancelCall(call)
		return nil, ctx.Err()
	default:
		return nil, c.closedError()
	}
}

// Notify sends a notification. It returns when the message is queued; it waits
// only if the peer has not read for a long time, and then no longer than ctx.
func (c *Conn) Notify(ctx context.Context, method string, params any) error {
	raw, err := encodeParams(params)
	if err != nil {
		return fmt.Errorf("notify %s: encode params: %w", method, err)
	}
	if err := c.admit(ctx); err != nil {
		return err
	}
	if err := c.rpc.Notify(ctx, method, raw); err != nil {
		return c.closedError()
	}
	return nil
}

// Forward is Notify for a message of another Conn, whose params need no check.
// With More, another message follows at once, and this one may wait for it: many
// small messages travel together then.
func (c *Conn) Forward(ctx context.Context, m *Message) error {
	if err := c.admit(ctx); err != nil {
		return err
	}
	on := context.Background()
	if m.More {
		on = moreFollows
	}
	if err := c.rpc.Notify(on, m.Method, jsonrpc2.RawMessage(m.Params())); err != nil {
		return c.closedError()
	}
	return nil
}

// Flush sends what waits for more. Who has forwarded a message with More and has nothing more calls it.
func (c *Conn) Flush() { c.out.flush() }

var moreFollows = context.WithValue(context.Background(), moreKey{}, true)

// admit waits for room in the queue.
func (c *Conn) admit(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.life.Err() != nil {
		return c.closedError()
	}
	return c.out.admit(ctx)
}

// bind returns a context that ends with ctx and with the connection.
func (c *Conn) bind(ctx context.Context) (context.Context, func()) {
	bound, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(c.calls, cancel)
	return bound, func() { stop(); cancel() }
}

// cancelCall tells the peer that nobody waits for an answer any more. It does
// not ask for room: the caller has run out of time already.
func (c *Conn) cancelCall(call int64) {
	params := fmt.Appendf(nil, `{"requestId":%d}`, call)
	_ = c.rpc.Notify(context.Background(), MethodCancelRequest, jsonrpc2.RawMessage(params))
}

// encodeParams returns the params for the wire, nil for none.
func encodeParams(params any) (jsonrpc2.RawMessage, error) {
	if params == nil {
		return nil, nil
	}
	if raw, ok := params.(jsontext.Value); ok && raw == nil {
		return nil, nil
	}
	raw, err := encode(params)
	return jsonrpc2.RawMessage(raw), err
}

var errNotJSON = errors.New("not valid JSON")

// encode returns v as JSON on one line. Raw JSON is checked and left as it is
// but for line breaks, which would end the message.
func encode(v any) (jsontext.Value, error) {
	raw, isRaw := v.(jsontext.Value)
	if !isRaw {
		text, err := Marshal(v)
		if err != nil {
			return nil, err
		}
		raw = text
	} else if i, f := scanValue(raw, skipSpace(raw, 0), 0); f != faultNone || skipSpace(raw, i) != len(raw) {
		return nil, errNotJSON
	}
	if bytes.IndexByte(raw, '\n') >= 0 || bytes.IndexByte(raw, '\r') >= 0 {
		raw = raw.Clone()
		if err := raw.Compact(); err != nil {
			return nil, err
		}
	}
	return raw, nil
}

// rawCodec gives the library JSON and takes JSON from it: encoding and decoding
// happen in the goroutine that calls or replies, never in the reading one.
type rawCodec struct{}

func (rawCodec) Marshal(v any) ([]byte, error) {
	raw, ok := v.(jsonrpc2.RawMessage)
	if !ok {
		return nil, fmt.Errorf("rawCodec: %T", v)
	}
	return raw, nil
}

func (rawCodec) Unmarshal(data []byte, v any) error {
	raw, ok := v.(*jsonrpc2.RawMessage)
	if !ok {
		return fmt.Errorf("rawCodec: %T", v)
	}
	*raw = bytes.Clone(data)
	return nil
}
