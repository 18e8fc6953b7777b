package acp

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// response passes on the answer to a call that waits for it.
func (r *reader) response(e *envelope, owned bool) {
	w := r.waiting(e.id)
	switch {
	case w == nil:
		r.strayResponse(e)
	case e.err != nil:
		w.end(nil, readError(e.err))
	default:
		w.end(detach(e.result, owned), nil)
	}
}

// lost makes the call of that id fail: its answer cannot be had.
func (r *reader) lost(id []byte, reason string) {
	if w := r.waiting(id); w != nil {
		w.end(nil, Errorf(CodeInvalidRequest, "%s", reason))
	}
}

// waiting takes the call of that id from those without an answer; nil if nobody
// waits for it.
func (r *reader) waiting(id []byte) *call {
	n, ok := parseInt(id)
	if !ok {
		return nil
	}
	w := r.c.calls.take(n)
	if w != nil && w.answered != nil {
		w.answered()
	}
	return w
}

// readError reads the error member of a response: an object with a 32-bit code
// and a text.
func readError(raw []byte) *Error {
	var given struct {
		Code    jsontext.Value `json:"code"`
		Message jsontext.Value `json:"message"`
		Data    jsontext.Value `json:"data"`
	}
	if raw[0] == '{' && Unmarshal(raw, &given) == nil {
		code, ok := parseCode(given.Code)
		if text, isText := StringOf(given.Message); ok && isText {
			return &Error{Code: code, Message: text, Data: given.Data}
		}
	}
	return &Error{Code: CodeInternal, Message: "the peer answered with an error that is not one", Data: detach(raw, false)}
}

// tooLong finds out whom to tell about a line that was not kept.
func (r *reader) tooLong(line *rawLine) {
	head := trimLine(line.text)
	if len(head) == 0 || head[0] != '{' && head[0] != '[' {
		r.skipped(lineStray, "not a JSON object", line)
		return
	}
	reason := fmt.Sprintf("message of %d bytes is over the limit of %d", line.size, r.lines.max)
	r.count.tooLong++
	id, kind := sniff(line.text, line.tail)
	switch kind {
	case lineRequest:
		r.skipped(lineBroken, reason, line)
		r.refuse(string(id), Errorf(CodeInvalidRequest, "%s", reason))
	case lineLost:
		r.skipped(lineLost, reason, line)
		r.lost(id, "the peer's answer was not read: "+reason)
	default:
		r.skipped(lineRefused, reason, line)
	}
}

// refuse answers a line that the Handler does not get to see; an empty id is null.
// It does not wait for room, hence the limit on what the peer leaves unread.
func (r *reader) refuse(id string, e *Error) {
	line := appendError(nil, id, e)
	written := r.c.out.Written()
	r.unread = max(0, r.unread-int(written-r.readUpTo)) + len(line)
	r.readUpTo = written
	if r.unread > refusalLimit {
		r.c.fail(errors.New("the peer sends faulty messages without end and does not read the answers"))
		return
	}
	_, _ = r.c.send(false, func(b []byte) []byte { return append(b, line...) })
}
