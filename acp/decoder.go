package acp

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is how deep arrays and objects may nest in a message; jsontext draws the line at the same place.
const maxDepth = 10_000

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

// open enters an object and stops at its first member; false when there is none.
func (d *decoder) open() bool {
	if d.err != nil {
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
		d.name, _ = jsontext.AppendUnquote(nil, raw)
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

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// str consumes a string and returns it with its quotes. plain says that the bytes between them are the text: ASCII
// without escapes.
func (d *decoder) str() (raw []byte, plain bool) {
	if d.err != nil {
		return nil, false
	}
	if d.pos >= len(d.data) || d.data[d.pos] != '"' {
		d.want("a string")
		return nil, false
	}
	data, i := d.data, d.pos+1
	plain = true
	for {
		// Eight bytes at once, as long as none is a quote, a backslash or a control character.
		for i+8 <= len(data) {
			w := binary.LittleEndian.Uint64(data[i:])
			quote, slash := w^(ones*'"'), w^(ones*'\\')
			if ((quote-ones)&^quote|(slash-ones)&^slash|(w-ones*0x20)&^w)&highs != 0 {
				break
			}
			plain = plain && w&highs == 0
			i += 8
		}
		if i >= len(data) {
			d.fail(i, "the string has no end")
			return nil, false
		}
		switch c := data[i]; {
		case c == '"':
			raw, d.pos = data[d.pos:i+1], i+1
			return raw, plain
		case c == '\\':
			n := escape(data[i:])
			if n == 0 {
				d.fail(i, "no such escape in a string")
				return nil, false
			}
			plain = false
			i += n
		case c < 0x20:
			d.fail(i, "a control character in a string")
			return nil, false
		default:
			plain = plain && c < 0x80
			i++
		}
	}
}

// escape is the length of the escape sequence at the start of b, 0 if it is none.
func escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	if b[1] != 'u' {
		if strings.IndexByte(`"\/bfnrt`, b[1]) >= 0 {
			return 2
		}
		return 0
	}
	if len(b) < 6 {
		return 0
	}
	for _, c := range b[2:6] {
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return 0
		}
	}
	return 6
}

// number consumes a number.
func (d *decoder) number() []byte {
	if d.err != nil {
		return nil
	}
	data, i := d.data, d.pos
	digits := func() bool {
		from := i
		for i < len(data) && data[i] >= '0' && data[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(data) && data[i] == '-' {
		i++
	}
	if i < len(data) && data[i] == '0' {
		i++
	} else if !digits() {
		d.want("a number")
		return nil
	}
	if i < len(data) && data[i] == '.' {
		i++
		if !digits() {
			d.fail(i, "a number without digits after the point")
			return nil
		}
	}
	if i < len(data) && data[i]|0x20 == 'e' {
		i++
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		if !digits() {
			d.fail(i, "a number without digits in its exponent")
			return nil
		}
	}
	raw := data[d.pos:i]
	d.pos = i
	return raw
}

// skip passes over one value of any kind, checking that it is JSON, and returns its bytes.
func (d *decoder) skip() []byte {
	d.space()
	from := d.pos
	d.skipDeep(0)
	if d.err != nil {
		return nil
	}
	return d.data[from:d.pos]
}

func (d *decoder) skipDeep(depth int) {
	if depth > maxDepth {
		d.refuse(d.pos, "nested too deep")
		return
	}
	switch d.peek() {
	case '{':
		name, start := d.name, d.start
		for ok := d.open(); ok; ok = d.next() {
			d.skipDeep(depth + 1)
		}
		d.name, d.start = name, start
	case '[':
		for ok := d.array(); ok; ok = d.element() {
			d.skipDeep(depth + 1)
		}
	case '"':
		d.str()
	case 't':
		d.word("true")
	case 'f':
		d.word("false")
	case 'n':
		d.word("null")
	default:
		d.number()
	}
}

func (d *decoder) word(w string) {
	if d.err == nil && !bytes.HasPrefix(d.data[d.pos:], []byte(w)) {
		d.want(w)
		return
	}
	d.pos += len(w)
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
		kind, _ = jsontext.AppendUnquote(nil, raw)
		return kind, true
	}
	return nil, false
}

// extra keeps the member at hand, name and value, byte for byte. known lists the names that the object knows: strict
// decoding refuses a name that differs from one of them only in case, because a peer that ignores case would take it for
// that member.
func (d *decoder) extra(to *jsontext.Value, known string) {
	if d.strict {
		for name := range strings.SplitSeq(known, " ") {
			if strings.EqualFold(name, string(d.name)) {
				d.refuse(d.start, "member "+string(d.name)+" is not spelt "+name)
				return
			}
		}
	}
	from := d.start
	d.skip()
	if d.err != nil {
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
