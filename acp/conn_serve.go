package acp

import (
	"context"
	"runtime/debug"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/jsonrpc2"
)

// serve is the library's handler: of requests, since nothing else reaches it. It
// never panics, which would end the connection.
func (c *Conn) serve(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
	req := c.stream.cur
	if e := c.open.add(req); e != nil {
		req.cancel(nil)
		return nil, e.wire()
	}
	c.deliver(requestMessage(req))
	if !req.replied() || c.out.full() {
		// The answer comes later: let another goroutine read on. Only now, so
		// that the Handler has seen this message before the next one is read.
		jsonrpc2.Async(ctx)
		<-req.done
		_ = c.out.admit(c.life) // at the end of life the answer is queued all the same
	}
	if req.err != nil {
		return nil, req.err.wire()
	}
	return jsonrpc2.RawMessage(req.result), nil
}

func (c *Conn) newRequest(method string, params jsontext.Value, id []byte) *Request {
	r := &Request{
		method: method, params: params, id: string(id), key: idKey(id),
		open: &c.open, done: make(chan struct{}),
	}
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

// deliver gives a message to the Handler.
func (c *Conn) deliver(m *Message) {
	defer func() {
		if p := recover(); p != nil {
			c.panicked(m.Method, p)
			if m.Request != nil {
				m.Request.Reply(nil, Errorf(CodeInternal, "internal error while handling %s", m.Method))
			}
		}
	}()
	c.handler.Message(m)
}

// cancelled ends the context of a request that the peer has given up. One that
// is unknown or answered already is not worth a word.
func (c *Conn) cancelled(params jsontext.Value) {
	var given struct {
		RequestID jsontext.Value `json:"requestId"`
	}
	if err := UnmarshalStrict(params, &given); err != nil || len(given.RequestID) == 0 || !servableID(given.RequestID) {
		c.log.Warn().Str("params", quote(params)).Msg("cancellation without a usable requestId")
		return
	}
	c.open.cancel(idKey(given.RequestID))
}

func (c *Conn) panicked(method string, p any) {
	c.stats.panics.Add(1)
	c.log.Error().Str("method", method).Interface("panic", p).Bytes("stack", debug.Stack()).Msg("handler panicked")
}

// readableError reports whether the library can decode an error member: an
// object with a 32-bit code and a text. It ends the connection otherwise.
func readableError(raw []byte) bool {
	var given struct {
		Code    jsontext.Value `json:"code"`
		Message jsontext.Value `json:"message"`
	}
	if raw[0] != '{' || Unmarshal(raw, &given) != nil {
		return false
	}
	_, ok := parseCode(given.Code)
	return ok && len(given.Message) > 0 && given.Message[0] == '"'
}
