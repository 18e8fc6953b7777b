package acp

import "bytes"

// sniff guesses the kind and id of a message that is not read whole, from its
// first and last bytes. Only what is certain counts: members of the outermost
// object that end within head, and an id that ends the line. A message whose
// id or kind is not found is lineRefused: nobody can be told.
func sniff(head, tail []byte) (id []byte, kind lineKind) {
	var e envelope
	started := e.scanHead(trimLine(head))
	if id = e.id; id == nil {
		id = lastID(tail)
	}
	switch {
	case id == nil || e.smuggled != 0 || !servableID(id):
		return nil, lineRefused
	case e.method != nil:
		return id, lineRequest
	case started == "result" || started == "error" || e.result != nil || e.err != nil:
		return id, lineLost
	}
	return nil, lineRefused
}

// scanHead fills e from the beginning of an object and returns the name of the
// member in which the input ended, if its value had begun.
func (e *envelope) scanHead(head []byte) (started string) {
	if len(head) == 0 || head[0] != '{' {
		return ""
	}
	for i := skipSpace(head, 1); ; i = skipSpace(head, i+1) {
		nameEnd, value, f := scanName(head, i)
		if f != faultNone || value >= len(head) {
			return ""
		}
		end, f := scanValue(head, value, 1)
		if f != faultNone || end >= len(head) {
			return unquote(head[i+1 : nameEnd-1])
		}
		e.member(head[i+1:nameEnd-1], head[value:end])
		if i = skipSpace(head, end); i >= len(head) || head[i] != ',' {
			return ""
		}
	}
}

// lastID finds an id that is the last member of the line. In valid JSON nothing
// else can look like `,"id":7}` at the very end: the brace closes the outermost
// object, so number, colon and quotes before it lie outside any string.
func lastID(tail []byte) []byte {
	rest, ok := bytes.CutSuffix(trimLine(tail), []byte("}"))
	if !ok {
		return nil
	}
	rest = bytes.TrimRight(rest, " \t\r\n")
	start := idStart(rest)
	if start < 0 {
		return nil
	}
	id := rest[start:]
	rest = bytes.TrimRight(rest[:start], " \t\r\n")
	if rest, ok = bytes.CutSuffix(rest, []byte(":")); !ok {
		return nil
	}
	rest = bytes.TrimRight(rest, " \t\r\n")
	if rest, ok = bytes.CutSuffix(rest, []byte(`"id"`)); !ok {
		return nil
	}
	rest = bytes.TrimRight(rest, " \t\r\n")
	if !bytes.HasSuffix(rest, []byte(",")) {
		return nil
	}
	return id
}

// idStart returns where the id that ends b begins, -1 if b does not end in one.
// A string with escapes is given up: backwards they cannot be told apart.
func idStart(b []byte) int {
	if n := len(b); n > 1 && b[n-1] == '"' {
		start := bytes.LastIndexByte(b[:n-1], '"')
		if start < 0 || bytes.IndexByte(b[start:], '\\') >= 0 {
			return -1
		}
		return start
	}
	i := len(b)
	for i > 0 && (isDigit(b[i-1]) || b[i-1] == '-') {
		i--
	}
	if i == len(b) {
		return -1
	}
	return i
}
