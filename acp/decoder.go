package acp

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// A decoder walks one JSON value once, front to back, without building tokens: a streamed answer is thousands of
// messages of a few hundred bytes, and a token each would cost more than the message itself.
//
// The first error sticks: all loops end, and what comes later is a no-op. Positions are always at the start of a value or
// at the byte after one.
type decoder struct {
	data   []byte
	pos    int
	name   []byte // name of the member that open or next stopped at, unquoted
	start  int    // where that member starts, at the quote of its name
	strict bool
	err    *DecodeError
	codecs *codecs // for value; nil where only JSON is read
}

// fail records the first error; offset is where the trouble is.
func (d *decoder) fail(offset int, text string) {
	if d.err == nil {
		d.err = &DecodeError{Offset: offset, Text: text}
	}
}

// forgive drops an error inside the value that started at pos, skips that value, and reports whether there was one. What
// strict decoding refuses, and what is not JSON at all, is not forgiven.
func (d *decoder) forgive(pos int) bool {
	if d.err == nil || d.err.refused {
		return false
	}
	d.err, d.pos = nil, pos
	d.skip()
	return true
}

func (d *decoder) space() {
	for d.pos < len(d.data) {
		switch d.data[d.pos] {
		case ' ', '\t', '\r', '\n':
			d.pos++
		default:
			return
		}
	}
}

// peek is the first byte of the value at hand, 0 at the end.
func (d *decoder) peek() byte {
	d.space()
	if d.pos < len(d.data) {
		return d.data[d.pos]
	}
	return 0
}

// kind names what starts at the position, for error texts.
func (d *decoder) kind() string {
	switch c := d.peek(); c {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	case 0:
		return "the end of the input"
	default:
		if c == '-' || c >= '0' && c <= '9' {
			return "a number"
		}
		return "no JSON"
	}
}

func (d *decoder) want(what string) { d.fail(d.pos, "want "+what+", have "+d.kind()) }

// open enters an object and stops at its first member; false when there is none. A message that is null as a whole is an
// empty object: results without members came as null once, and still do in the documentation.
func (d *decoder) open() bool {
	if d.err != nil || d.pos == 0 && d.null() {
		return false
	}
	if d.peek() != '{' {
		d.want("an object")
		return false
	}
	d.pos++
	if d.peek() == '}' {
		d.pos++
		return false
	}
	return d.member()
}

// next goes on to the following member; false at the end of the object.
func (d *decoder) next() bool {
	if d.err != nil {
		return false
	}
	switch d.peek() {
	case ',':
		d.pos++
		d.space()
		return d.member()
	case '}':
		d.pos++
	default:
		d.want("a comma or the end of the object")
	}
	return false
}

func (d *decoder) member() bool {
	d.start = d.pos
	raw, plain := d.str()
	if d.err != nil {
		return false
	}
	d.name = raw[1 : len(raw)-1]
	if !plain {
		d.name = []byte(unquote(d.name))
	}
	if d.peek() != ':' {
		d.want("a colon")
		return false
	}
	d.pos++
	d.space()
	return true
}

// array enters an array and stops at its first element; false when there is none.
func (d *decoder) array() bool {
	if d.err != nil {
		return false
	}
	if d.peek() != '[' {
		d.want("an array")
		return false
	}
	d.pos++
	if d.peek() == ']' {
		d.pos++
		return false
	}
	return true
}

// element goes on to the following element; false at the end of the array.
func (d *decoder) element() bool {
	if d.err != nil {
		return false
	}
	switch d.peek() {
	case ',':
		d.pos++
		d.space()
		return true
	case ']':
		d.pos++
	default:
		d.want("a comma or the end of the array")
	}
	return false
}

// null consumes a null, if that is what follows.
func (d *decoder) null() bool {
	if d.err == nil && d.peek() == 'n' && bytes.HasPrefix(d.data[d.pos:], []byte("null")) {
		d.pos += len("null")
		return true
	}
	return false
}

// refuse records an error that no leniency forgives.
func (d *decoder) refuse(offset int, text string) {
	if d.err == nil {
		d.err = &DecodeError{Offset: offset, Text: text, refused: true}
	}
}

// tag looks ahead for the member that tells the variants of a union apart, without moving. found is false when the value
// is no object or has no such member that is a string.
func (d *decoder) tag(member string) (kind []byte, found bool) {
	ahead := decoder{data: d.data, pos: d.pos}
	for ok := ahead.open(); ok; ok = ahead.next() {
		if string(ahead.name) != member {
			ahead.skip()
			continue
		}
		raw, plain := ahead.str()
		if ahead.err != nil {
			return nil, false
		}
		if plain {
			return raw[1 : len(raw)-1], true
		}
		return []byte(unquote(raw[1 : len(raw)-1])), true
	}
	return nil, false
}

// extra keeps the member at hand, name and value, byte for byte; to is an object that has it then, or nil.
func (d *decoder) extra(to *jsontext.Value) {
	from := d.start
	d.skip()
	if d.err != nil || to == nil {
		return
	}
	member := d.data[from:d.pos]
	if len(*to) == 0 {
		*to = append(*to, '{')
	} else {
		(*to)[len(*to)-1] = ','
	}
	*to = append(append(*to, member...), '}')
}

// missing reports a member that has to be there.
func (d *decoder) missing(name string) { d.fail(max(d.pos-1, 0), "member "+name+" is missing") }
