package acp

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// What goes out. A line is composed in the queue itself, so that even a large
// one is copied only once; an id comes back as the peer spelt it.

// send queues the line that compose appends. It never waits; see admit for who
// does. With more, another line follows at once and this one may wait for it. end
// is for [Delivery].
func (c *Conn) send(more bool, compose func([]byte) []byte) (end uint64, err error) {
	return c.out.Append(more, func(b []byte) []byte {
		start := len(b)
		b = compose(b)
		if c.tap != nil {
			c.tap(Sent, b[start:])
		}
		return append(b, '\n')
	})
}

const version = `{"jsonrpc":"2.0",`

// appendMessage appends a notification, or with an id that is not 0 a call.
func appendMessage(b []byte, method string, params jsontext.Value, id int64) []byte {
	b = append(b, version+`"method":`...)
	b, _ = jsontext.AppendQuote(b, method) // the error would be about bytes that are now U+FFFD
	if params != nil {
		b = append(b, `,"params":`...)
		b = append(b, params...)
	}
	if id != 0 {
		b = append(b, `,"id":`...)
		b = strconv.AppendInt(b, id, 10)
	}
	return append(b, '}')
}

// appendResult appends an answer.
func appendResult(b []byte, id string, result jsontext.Value) []byte {
	b = append(append(append(b, version+`"id":`...), id...), `,"result":`...)
	return append(append(b, result...), '}')
}

// appendError appends an answer that is an error. An empty id is null. Data that
// is no JSON, which only a handler of ours can have given, is left out.
func appendError(b []byte, id string, e *Error) []byte {
	b = append(append(b, version+`"id":`...), cmp.Or(id, "null")...)
	b = fmt.Appendf(b, `,"error":{"code":%d,"message":`, e.Code)
	b, _ = jsontext.AppendQuote(b, e.Message) // as above
	if data, err := encode(e.Data); err == nil {
		b = append(append(b, `,"data":`...), data...)
	}
	return append(b, "}}"...)
}

// answer sends what a request was answered with. While the peer does not read,
// the answer waits for its turn, and the request counts as open until then.
func (c *Conn) answer(r *Request) {
	if !c.out.Full() {
		c.sendAnswer(r)
		return
	}
	go func() {
		_ = c.out.Admit(c.life) // at the end of life the answer is queued all the same
		c.sendAnswer(r)
	}()
}

func (c *Conn) sendAnswer(r *Request) {
	_, err := c.send(false, func(b []byte) []byte {
		c.open.remove(r) // before the peer can know: it may use the id again
		if r.err != nil {
			return appendError(b, r.id, r.err)
		}
		return appendResult(b, r.id, r.result)
	})
	if err != nil {
		c.open.remove(r)
	}
}
