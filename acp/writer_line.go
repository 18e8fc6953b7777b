package acp

import (
	"bytes"
	"slices"
	"strconv"
)

// The JSON-RPC library keeps an id as a number or a decoded string and writes it
// again in its own spelling. An id that would come back changed ("\u0061", -0)
// goes through the library under an alias and gets its spelling back here.
const (
	aliasName   = "acp id "
	aliasPrefix = `"` + aliasName

	answerPrefix = `{"jsonrpc":"2.0","id":`
)

// plainID reports whether the library writes a servable id as it was read, and
// nobody can take it for an alias.
func plainID(raw []byte) bool {
	if raw[0] == '"' {
		return !hasEscape(raw) && !bytes.HasPrefix(raw, []byte(aliasPrefix))
	}
	return string(raw) != "-0"
}

// alias remembers a raw id and returns what to call it meanwhile.
func (q *writer) alias(seq int64, raw []byte) string {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.aliases[seq] = string(raw)
	return aliasPrefix + strconv.FormatInt(seq, 10) + `"`
}

// restoreID gives the answer that begins at lines[start] its true id back, if
// it has an alias. Precondition: caller holds mu.
func (q *writer) restoreID(lines []byte, start int) []byte {
	if !bytes.HasPrefix(lines[start:], []byte(answerPrefix+aliasPrefix)) {
		return lines
	}
	idStart := start + len(answerPrefix)
	digits := idStart + len(aliasPrefix)
	idEnd := digits + bytes.IndexByte(lines[digits:], '"') + 1
	seq, _ := parseInt(lines[digits : idEnd-1])
	raw := q.aliases[seq]
	delete(q.aliases, seq)
	return slices.Replace(lines, idStart, idEnd, []byte(raw)...)
}

// outgoing looks at a line the library composed: an answer begins with its id,
// a call ends with its own. A notification ends with its params, an object or
// array, hence with two brackets, and cannot be mistaken for a call.
func outgoing(line []byte) (isAnswer bool, call int64) {
	if bytes.HasPrefix(line, []byte(answerPrefix)) {
		return true, 0
	}
	i := len(line) - 1
	for i > 0 && isDigit(line[i-1]) {
		i--
	}
	if bytes.HasSuffix(line[:i], []byte(`,"id":`)) {
		call, _ = parseInt(line[i : len(line)-1])
	}
	return false, call
}

// complaint composes the answer to a line that never reached the library. A nil
// id is null.
func complaint(id []byte, e *Error) []byte {
	if id == nil {
		id = []byte("null")
	}
	line := append([]byte(answerPrefix), id...)
	line = append(line, `,"error":`...)
	text, err := Marshal(e)
	if err != nil { // data that is no JSON: nobody but this package fills it
		text = []byte(`{"code":-32603,"message":"internal error"}`)
	}
	return append(append(line, text...), '}')
}
