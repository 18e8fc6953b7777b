package acp

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// response passes on the answer to a call that waits for it.
func (s *stream) response(e *envelope, line []byte) []byte {
	call, ok := parseInt(e.id)
	if !ok || !s.settle(call) {
		s.c.strayResponse(e)
		return nil
	}
	if e.err != nil && !readableError(e.err) {
		return s.failed(call, &Error{
			Code: CodeInternal, Message: "the peer answered with an error that is not one", Data: e.err,
		})
	}
	return line
}

// settle notes the answer to a call; false if nobody waits for it.
func (s *stream) settle(call int64) bool {
	answered, waiting := s.c.out.settle(call)
	if answered != nil {
		answered()
	}
	return waiting
}

// lost makes the call of that id fail: its answer cannot be had.
func (s *stream) lost(id []byte, reason string) []byte {
	call, ok := parseInt(id)
	if !ok || !s.settle(call) {
		return nil
	}
	return s.failed(call, Errorf(CodeInvalidRequest, "%s", reason))
}

func (s *stream) failed(call int64, e *Error) []byte {
	return complaint(strconv.AppendInt(nil, call, 10), e)
}

// tooLong finds out whom to tell about a line that was not kept.
func (s *stream) tooLong(line *rawLine) []byte {
	head := trimLine(line.text)
	if len(head) == 0 || head[0] != '{' && head[0] != '[' {
		s.c.skipped(lineStray, "not a JSON object", line)
		return nil
	}
	reason := fmt.Sprintf("message of %d bytes is over the limit of %d", line.size, s.lines.max)
	s.c.stats.tooLong.Add(1)
	id, kind := sniff(line.text, line.tail)
	switch kind {
	case lineRequest:
		s.c.skipped(lineBroken, reason, line)
		s.complain(id, Errorf(CodeInvalidRequest, "%s", reason))
		return nil
	case lineLost:
		s.c.skipped(lineLost, reason, line)
		return s.lost(id, "the peer's answer was not read: "+reason)
	}
	s.c.skipped(lineRefused, reason, line)
	return nil
}

// complain answers a line that the library does not get to see.
func (s *stream) complain(id []byte, e *Error) {
	if !s.c.out.force(complaint(slices.Clip(id), e)) {
		s.c.fail(errors.New("the peer sends faulty messages without end and does not read the answers"))
	}
}
