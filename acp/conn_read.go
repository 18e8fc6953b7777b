package acp

import (
	"bytes"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/go-json-experiment/json/jsontext"
)

// reader is the goroutine that reads: it judges every line, hands messages to
// the Handler and answers to those who wait for them, and skips or refuses what
// is neither. It never waits for the peer to read. Its fields are its own.
type reader struct {
	c     *Conn
	lines *lineReader

	last string  // the last method, to have its name only once
	msg  Message // the last notification
	more bool    // the Handler expects more

	count counters

	unread   int    // bytes of refusals that the peer has not made up for by reading
	readUpTo uint64 // what had been written when that was counted
}

// Read is the transport as the lineReader sees it: before it waits, the handler
// does what it has put off.
func (r *reader) Read(b []byte) (int, error) {
	r.drained()
	return r.c.rwc.Read(b)
}

// run reads to the end of the stream.
func (r *reader) run() {
	defer close(r.c.read)
	defer r.summary()
	for {
		line, err := r.lines.next()
		if err != nil {
			if err != io.EOF {
				r.c.setErr(fmt.Errorf("read from peer: %w", err))
			}
			return
		}
		r.line(&line)
	}
}

func (r *reader) line(line *rawLine) {
	if line.discarded {
		r.drained()
		r.tooLong(line)
		return
	}
	if r.c.tap != nil {
		r.c.tap(Received, line.text)
	}
	var e envelope
	v := judge(line.text, &e)
	if v.kind == lineNotification {
		r.notification(&e, line.owned)
		return
	}
	r.drained()
	switch v.kind {
	case lineRequest:
		r.request(&e, line.owned)
	case lineResponse:
		r.response(&e, line.owned)
	case lineBroken:
		if line.cut { // the peer died in mid-sentence
			r.skipped(lineStray, "cut off by the end of the stream", line)
			return
		}
		r.skipped(v.kind, v.reason, line)
		r.refuse(string(v.id), Errorf(v.code, "%s", v.reason))
	case lineLost:
		r.skipped(v.kind, v.reason, line)
		r.lost(v.id, "the peer's answer was refused: "+v.reason)
	default:
		r.skipped(v.kind, v.reason, line)
	}
}

func (r *reader) drained() {
	if r.more {
		r.more = false
		r.c.handler.Drained()
	}
}

// notification hands over a notification. Its params are not copied.
func (r *reader) notification(e *envelope, owned bool) {
	r.last = r.method(e.method)
	if r.last == MethodCancelRequest {
		r.drained()
		r.cancelled(params(e, true))
		return
	}
	r.more = r.lines.more()
	r.msg = Message{Method: r.last, More: r.more, params: params(e, true), theirs: true, owned: owned}
	r.deliver(&r.msg)
}

// request hands over a request, unless it can be answered at once.
func (r *reader) request(e *envelope, owned bool) {
	r.last = r.method(e.method)
	req := r.c.newRequest(r.last, params(e, owned), e.id)
	if err := r.c.open.add(req); err != nil {
		req.cancel(nil)
		r.refuse(req.id, err)
		return
	}
	r.deliver(requestMessage(req))
}

// deliver gives a message to the Handler.
func (r *reader) deliver(m *Message) {
	defer func() {
		if p := recover(); p != nil {
			r.count.panics++
			r.c.log.Error().Str("method", m.Method).Interface("panic", p).Bytes("stack", debug.Stack()).Msg("handler panicked")
			if m.Request != nil {
				m.Request.Reply(nil, Errorf(CodeInternal, "internal error while handling %s", m.Method))
			}
		}
	}()
	r.c.handler.Message(m)
}

// cancelled ends the context of a request that the peer has given up. One that
// is unknown or answered already is not worth a word.
func (r *reader) cancelled(params jsontext.Value) {
	var given struct {
		RequestID jsontext.Value `json:"requestId"`
	}
	if err := UnmarshalStrict(params, &given); err != nil || len(given.RequestID) == 0 || !servableID(given.RequestID) {
		r.c.log.Warn().Str("params", quote(params)).Msg("cancellation without a usable requestId")
		return
	}
	r.c.open.cancel(idKey(given.RequestID))
}

// method decodes a method name, most of the time the one before.
func (r *reader) method(raw []byte) string {
	if inside := raw[1 : len(raw)-1]; string(inside) != r.last || hasEscape(inside) {
		return unquote(inside)
	}
	return r.last
}

// params returns the params of e, nil for none or null, in memory of their own
// unless owned.
func params(e *envelope, owned bool) jsontext.Value {
	if e.params == nil || e.params[0] == 'n' {
		return nil
	}
	return detach(e.params, owned)
}

// detach returns a part of a line in memory of its own, unless the line is owned.
func detach(part []byte, owned bool) jsontext.Value {
	if owned {
		return part
	}
	return bytes.Clone(part)
}
