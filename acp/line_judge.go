package acp

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf8"
)

// lineKind is what a line turned out to be.
type lineKind uint8

const (
	lineNotification lineKind = iota
	lineRequest
	lineResponse
	lineBlank   // nothing on it
	lineStray   // not JSON-RPC at all: log output, escape sequences, other JSON
	lineBroken  // meant as a message, refused, and answered with verdict.err
	lineRefused // meant as a message, refused, and nobody to answer
	lineLost    // a response that cannot be read: the call of that id has failed
)

func (k lineKind) String() string {
	switch k {
	case lineStray:
		return "skipped output that is not ACP"
	case lineBroken:
		return "refused a message and said so"
	case lineRefused:
		return "refused a message"
	case lineLost:
		return "lost a response"
	}
	return "read a message"
}

// verdict says what to do with a line.
type verdict struct {
	kind lineKind

	// id is the raw id of a request or response, or the one to answer a broken
	// line with (nil: null).
	id []byte

	// code and reason are the answer to a broken line, or say why another was
	// not delivered.
	code   int
	reason string
}

var (
	bom         = []byte("\xef\xbb\xbf")
	jsonrpcWord = []byte(`"jsonrpc"`)
)

// judge decides about one line, its newline already taken off, and leaves the
// parts of a message in e.
//
// The rule behind the many cases: what does not claim to be JSON-RPC is noise
// and never answered, because agents print logs, some as JSON with ids in it.
// What does claim it and is wrong is answered if it can have been a request,
// never if it can only have been a response: the answer would carry an id that
// means something else to the sender.
func judge(line []byte, e *envelope) verdict {
	line = trimLine(line)
	if len(line) == 0 {
		return verdict{kind: lineBlank}
	}
	if line[0] != '{' && line[0] != '[' {
		return verdict{kind: lineStray, reason: "not a JSON object"}
	}
	f := faultSyntax
	if utf8.Valid(line) {
		if line[0] == '[' {
			return judgeArray(line)
		}
		f = e.scan(line)
	}
	switch f {
	case faultNone:
		return e.judge()
	case faultSyntax:
		return judgeUnparsed(line)
	default:
		return judgeFault(line, f)
	}
}

// trimLine takes off a byte order mark and white space, a CR among it.
func trimLine(line []byte) []byte {
	line = bytes.TrimPrefix(line, bom)
	i := skipSpace(line, 0)
	n := len(line)
	for n > i && (line[n-1] == ' ' || line[n-1] == '\t' || line[n-1] == '\r' || line[n-1] == '\n') {
		n--
	}
	return line[i:n]
}

func judgeArray(line []byte) verdict {
	i, f := scanArray(line, 0, 1)
	if f == faultNone && i == len(line) {
		return broken(nil, CodeInvalidRequest, "batches are not part of ACP; send one message a line")
	}
	return judgeUnparsed(line)
}

// judgeUnparsed tells a message gone wrong from other text.
func judgeUnparsed(line []byte) verdict {
	if !bytes.Contains(line, jsonrpcWord) {
		return verdict{kind: lineStray, reason: "not JSON"}
	}
	return broken(nil, CodeParse, "the line is not valid JSON in UTF-8")
}

// judgeFault is for JSON that is refused for its shape, found out half way.
func judgeFault(line []byte, f fault) verdict {
	if !bytes.Contains(line, jsonrpcWord) {
		return verdict{kind: lineStray, reason: f.String()}
	}
	id, kind := sniff(line[:min(len(line), sniffHead)], line[max(0, len(line)-sniffTail):])
	if kind == lineRequest {
		return broken(id, CodeInvalidRequest, "message refused: "+f.String())
	}
	return verdict{kind: kind, id: id, reason: f.String()}
}

func broken(id []byte, code int, reason string) verdict {
	return verdict{kind: lineBroken, id: id, code: code, reason: reason}
}

// judge decides about a well-formed JSON object.
func (e *envelope) judge() verdict {
	if e.version == nil && !e.smuggled.has(memberVersion) {
		return verdict{kind: lineStray, reason: "JSON without \"jsonrpc\""}
	}
	isResponse := e.method == nil && !e.smuggled.has(memberMethod)
	if isResponse {
		return e.judgeResponse()
	}
	id := e.answerID()
	switch {
	case e.smuggled != 0:
		return broken(id, CodeInvalidRequest, e.smuggled.String()+" occurs twice or in another spelling")
	case string(e.version) != `"2.0"`:
		return broken(id, CodeInvalidRequest, `jsonrpc must be "2.0"`)
	case e.result != nil || e.err != nil:
		return broken(id, CodeInvalidRequest, "a request has no result and no error")
	case e.method[0] != '"':
		return broken(id, CodeInvalidRequest, "method must be a string")
	case e.id == nil:
		if !e.paramsFit() {
			return verdict{kind: lineRefused, reason: "params must be an object or an array"}
		}
		return verdict{kind: lineNotification}
	case !servableID(e.id):
		return broken(id, CodeInvalidRequest, "id must be a string or a 64-bit integer")
	case !e.paramsFit():
		return broken(id, CodeInvalidParams, "params must be an object or an array")
	}
	return verdict{kind: lineRequest, id: e.id}
}

func (e *envelope) judgeResponse() verdict {
	refused := verdict{kind: lineRefused, id: e.id}
	switch {
	case e.smuggled != 0 && e.result == nil && e.err == nil:
		// Not even the outline of a response: a request with its keys misspelt.
		return broken(e.answerID(), CodeInvalidRequest, e.smuggled.String()+" occurs twice or in another spelling")
	case e.smuggled != 0:
		refused.reason = e.smuggled.String() + " occurs twice or in another spelling"
	case string(e.version) != `"2.0"`:
		refused.reason = `jsonrpc is not "2.0"`
	case (e.result == nil) == (e.err == nil):
		refused.reason = "neither request nor response: needs a method, a result or an error"
		if e.result != nil {
			refused.reason = "response with both result and error"
		}
	case e.id == nil:
		refused.reason = "response without id"
	default:
		return verdict{kind: lineResponse, id: e.id}
	}
	return refused
}

// paramsFit reports whether params are what JSON-RPC allows; null is absent.
func (e *envelope) paramsFit() bool {
	return e.params == nil || e.params[0] == '{' || e.params[0] == '[' || e.params[0] == 'n'
}

// answerID returns the id to answer a refused request with: its own, if that
// is a string or any number and there is no doubt which, else nil for null.
func (e *envelope) answerID() []byte {
	if e.smuggled.has(memberID) || e.id == nil {
		return nil
	}
	switch c := e.id[0]; {
	case c == '"' && len(e.id) <= maxID, c == '-', isDigit(c):
		return e.id
	}
	return nil
}

// servableID reports whether a raw id is one ACP allows: a string or an int64.
func servableID(raw []byte) bool {
	if len(raw) > maxID {
		return false
	}
	if raw[0] == '"' {
		return true
	}
	_, ok := parseInt(raw)
	return ok
}

// parseInt reads a JSON number that is written as an integer.
func parseInt(raw []byte) (int64, bool) {
	if len(raw) == 0 || len(raw) > len("-9223372036854775808") {
		return 0, false
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	return n, err == nil
}

// parseCode reads an error code: a 32-bit integer.
func parseCode(raw []byte) (int, bool) {
	n, ok := parseInt(raw)
	return int(n), ok && n >= math.MinInt32 && n <= math.MaxInt32
}

// suspicious reports whether a stray line holds what looks like a message, say
// behind log output without a newline. It is not looked for: who cuts messages
// out of text can be given any message.
func suspicious(line []byte) bool { return bytes.Contains(line, jsonrpcWord) }
