package acp

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
)

// What a JSON value is made of. FuzzScan holds this file to jsontext.

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
		// Eight bytes at once, up to a quote, a backslash or a control character: the lowest bit of ends is at the first.
		for i+8 <= len(data) {
			w := binary.LittleEndian.Uint64(data[i:])
			quote, slash := w^(ones*'"'), w^(ones*'\\')
			ends := ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*0x20)&^w) & highs
			if ends != 0 {
				plain = plain && w&highs&(ends&-ends-1) == 0
				i += bits.TrailingZeros64(ends) / 8
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
