package acp

import (
	"bytes"
	"math/bits"
	"strings"
)

// envelope is one JSON-RPC object taken apart: the raw values of the members
// that JSON-RPC knows, nil where absent. They are parts of the scanned line.
type envelope struct {
	version, id, method, params, result, err []byte

	// smuggled are the members that are there twice, or under a name that
	// another decoder would take for theirs (wrong case, escaped letters). Two
	// programs could read such an object differently, so nobody gets to.
	smuggled members
}

// members is a set of the members that JSON-RPC knows.
type members uint8

const (
	memberVersion members = 1 << iota
	memberID
	memberMethod
	memberParams
	memberResult
	memberError
)

var memberNames = [...]string{"jsonrpc", "id", "method", "params", "result", "error"}

func (m members) has(one members) bool { return m&one != 0 }

// String names the first of the set.
func (m members) String() string { return memberNames[bits.TrailingZeros8(uint8(m))] }

// scan takes the whole line apart. The envelope is complete only if it returns
// faultNone; what came before a fault is filled in all the same.
func (e *envelope) scan(line []byte) fault {
	*e = envelope{}
	i := skipSpace(line, 0)
	if i >= len(line) || line[i] != '{' {
		return faultSyntax
	}
	i, f := scanObject(line, i, 1, func(name []byte, value span) { e.member(name, value.of(line)) })
	if f == faultNone && skipSpace(line, i) != len(line) {
		return faultSyntax
	}
	return f
}

// member files one member; key is its name as it stands between the quotes.
func (e *envelope) member(key, value []byte) {
	field, which := e.field(key)
	switch {
	case which == 0:
		// A member JSON-RPC does not know; allowed, and nobody's business here.
	case field == nil || *field != nil:
		e.smuggled |= which
	default:
		*field = value
	}
}

// field returns where the member called name belongs. A member without a field:
// this is not its name, but a lenient decoder would take it for that.
func (e *envelope) field(name []byte) (*[]byte, members) {
	switch string(name) {
	case "jsonrpc":
		return &e.version, memberVersion
	case "id":
		return &e.id, memberID
	case "method":
		return &e.method, memberMethod
	case "params":
		return &e.params, memberParams
	case "result":
		return &e.result, memberResult
	case "error":
		return &e.err, memberError
	}
	return nil, lookalike(name)
}

// lookalike returns the member that name would be if letters were folded as
// case-insensitive decoders do (ſ is an s, K a k to them), or none. The longest
// spelling is every letter as a \u escape.
func lookalike(name []byte) members {
	if len(name) < len("id") || len(name) > len("jsonrpc")*6 {
		return 0
	}
	text := unquote(name)
	for i, known := range memberNames {
		if strings.EqualFold(text, known) {
			return 1 << i
		}
	}
	return 0
}

func hasEscape(inside []byte) bool {
	return bytes.IndexByte(inside, '\\') >= 0
}
