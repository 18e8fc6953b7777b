package acp

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/jsonrpc2"
)

const methodPrefix = `{"jsonrpc":"2.0","method":`

// stream is the line filter as the library's Stream: reading skips, answers or
// refuses every line that would end the connection or mislead it, writing
// queues.
//
// Notifications are handed over right here. Of a request the library gets the
// envelope without params: those wait for serve, so that they are neither scanned
// nor copied again, whatever their size. ReadFrame and WriteFrame are what the
// library prefers to Read, of a stream that has both.
type stream struct {
	c     *Conn
	lines *lineReader
	tap   func([]byte)

	last  string   // the last method, to have its name only once
	cur   *Request // the request of the last frame, for serve
	frame []byte   // that frame
	seq   int64    // number of aliases given

	msg  Message // the last notification
	more bool    // the Handler expects more

	linesRead, bytesRead uint64 // not yet in the statistics
}

// counted is the transport as the lineReader sees it. It brings the statistics up
// to date before it waits, which costs less than to do so for every line, and has
// the handler do what it has put off.
type counted struct {
	r io.Reader
	s *stream
}

func (c *counted) Read(b []byte) (int, error) {
	c.s.c.stats.lines.Add(c.s.linesRead)
	c.s.c.stats.bytes.Add(c.s.bytesRead)
	c.s.linesRead, c.s.bytesRead = 0, 0
	c.s.drained()
	return c.r.Read(b)
}

// ReadFrame returns the next message for the library, io.EOF at the end.
func (s *stream) ReadFrame(context.Context) ([]byte, int64, error) {
	for {
		line, err := s.lines.next()
		if err != nil {
			s.ended(err)
			return nil, 0, io.EOF
		}
		if frame := s.accept(&line); frame != nil {
			return frame, line.size, nil
		}
	}
}

// Read is ReadFrame for a library that asks for messages.
func (s *stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	frame, n, err := s.ReadFrame(ctx)
	if err != nil {
		return nil, 0, err
	}
	msg, err := jsonrpc2.DecodeMessage(frame)
	return msg, n, err
}

// Write queues a message. It never waits; see writer.admit for who does.
func (s *stream) Write(ctx context.Context, msg jsonrpc2.Message) (int64, error) {
	answered, _ := ctx.Value(answeredKey{}).(func())
	isAnswer, call, end := s.c.out.put(msg, answered, ctx.Value(moreKey{}) != nil)
	if isAnswer {
		s.c.open.sent()
	}
	s.c.queued(ctx, call, end)
	return 0, nil
}

// WriteFrame would queue the answer to a batch. No batch gets that far.
func (s *stream) WriteFrame(_ context.Context, line []byte) (int64, error) {
	s.c.out.force(line)
	return 0, nil
}

// Close does nothing: Conn.run closes the transport once everything is written.
func (s *stream) Close() error { return nil }

// accept decides about a line and returns what the library is to see of it.
func (s *stream) accept(line *rawLine) []byte {
	s.linesRead++
	s.bytesRead += uint64(line.size) + 1
	if line.discarded {
		s.drained()
		return s.tooLong(line)
	}
	if s.tap != nil {
		s.tap(line.text)
	}
	var e envelope
	v := judge(line.text, &e)
	if v.kind == lineNotification {
		s.notification(&e, line.owned)
		return nil
	}
	s.drained()
	switch v.kind {
	case lineRequest:
		return s.request(&e, line.owned)
	case lineResponse:
		return s.response(&e, trimLine(line.text))
	case lineBroken:
		if line.cut { // the peer died in mid-sentence
			s.c.skipped(lineStray, "cut off by the end of the stream", line)
			return nil
		}
		s.c.skipped(v.kind, v.reason, line)
		s.complain(v.id, Errorf(v.code, "%s", v.reason))
	case lineLost:
		s.c.skipped(v.kind, v.reason, line)
		return s.lost(v.id, "the peer's answer was refused: "+v.reason)
	default:
		s.c.skipped(v.kind, v.reason, line)
	}
	return nil
}

func (s *stream) drained() {
	if s.more {
		s.more = false
		s.c.handler.Drained()
	}
}

// notification hands over a notification. There is nothing about it that the
// library would have to know: it has no id and gets no answer. Its params are not
// copied.
func (s *stream) notification(e *envelope, owned bool) {
	s.last = s.method(e.method)
	if s.last == MethodCancelRequest {
		s.drained()
		s.c.cancelled(params(e, true))
		return
	}
	s.more = s.lines.more()
	s.msg = Message{Method: s.last, More: s.more, params: params(e, true), theirs: true, owned: owned}
	s.c.deliver(&s.msg)
}

// request keeps a request for serve and tells the library the rest.
func (s *stream) request(e *envelope, owned bool) []byte {
	s.last = s.method(e.method)
	s.cur = s.c.newRequest(s.last, params(e, owned), e.id)
	s.frame = append(append(s.frame[:0], methodPrefix...), e.method...)
	s.frame = append(s.frame, `,"id":`...)
	if plainID(e.id) {
		s.frame = append(s.frame, e.id...)
	} else {
		s.seq++
		s.frame = append(s.frame, s.c.out.alias(s.seq, e.id)...)
	}
	s.frame = append(s.frame, '}')
	s.c.open.received()
	return s.frame
}

// method decodes a method name, most of the time the one before.
func (s *stream) method(raw []byte) string {
	if inside := raw[1 : len(raw)-1]; string(inside) != s.last || hasEscape(inside) {
		return unquote(inside)
	}
	return s.last
}

// params returns the params of e, nil for none or null, in memory of their own.
func params(e *envelope, owned bool) jsontext.Value {
	switch {
	case e.params == nil || e.params[0] == 'n':
		return nil
	case owned:
		return jsontext.Value(e.params)
	}
	return bytes.Clone(e.params)
}

// ended sees to it that nobody waits in vain for a peer that has stopped
// talking. The library sends no answers after an end of stream, so the open
// requests are answered before it hears of it; a peer that has closed only one
// direction still gets them.
func (s *stream) ended(err error) {
	if err != io.EOF {
		s.c.setErr(fmt.Errorf("read from peer: %w", err))
	}
	s.c.endRequests("connection closed by the other side")
}
