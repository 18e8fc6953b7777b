package acp

import (
	"bytes"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"
)

// value reads a whole value of a type of the protocol, or of a pointer, list or simple type, into what to points to.
func (d *decoder) value(to any) {
	v := reflect.ValueOf(to).Elem()
	c, ok := d.codecs.whole(v.Type())
	if !ok {
		c = d.codecs.of(v.Type(), fieldTag{})
	}
	v.SetZero()
	c.decode(d, v)
}

// text reads a string.
func (d *decoder) text() string {
	d.space()
	var q quoted
	if q.raw, q.plain = d.str(); d.err != nil {
		return ""
	}
	return q.text()
}

// quoted is a string as it stands in the input; plain says that the bytes between its quotes are the text.
type quoted struct {
	raw   []byte
	plain bool
}

func (q quoted) text() string {
	inner := q.raw[1 : len(q.raw)-1]
	if q.plain {
		return string(inner)
	}
	return unquote(inner)
}

func (d *decoder) boolean() bool {
	switch d.peek() {
	case 't':
		d.word("true")
		return d.err == nil
	case 'f':
		d.word("false")
	default:
		d.want("a boolean")
	}
	return false
}

// flag reads a capability that is true or false; an object, as later versions of the protocol mark capabilities, is true.
func (d *decoder) flag() bool {
	if d.peek() == '{' {
		d.skip()
		return true
	}
	return d.boolean()
}

// numberAt reads a number and says where it is.
func (d *decoder) numberAt() (at int, raw []byte) {
	d.space()
	at = d.pos
	return at, d.number()
}

// raw reads any value and keeps its bytes.
func (d *decoder) raw() jsontext.Value { return append(jsontext.Value(nil), d.skip()...) }

// str consumes a string and returns it with its quotes. plain says that the bytes between them are the text.
func (d *decoder) str() (raw []byte, plain bool) {
	if d.err != nil {
		return nil, false
	}
	if d.pos >= len(d.data) || d.data[d.pos] != '"' {
		d.want("a string")
		return nil, false
	}
	end, f := scanString(d.data, d.pos)
	if raw = d.scanned(d.pos, end, f); raw == nil {
		return nil, false
	}
	return raw, isText(raw[1 : len(raw)-1])
}

// number consumes a number.
func (d *decoder) number() []byte {
	if d.err != nil {
		return nil
	}
	if c := d.peek(); c != '-' && !isDigit(c) {
		d.want("a number")
		return nil
	}
	end, f := scanNumber(d.data, d.pos)
	return d.scanned(d.pos, end, f)
}

// skip passes over one value of any kind, checking that it is JSON, and returns its bytes.
func (d *decoder) skip() []byte {
	if d.err != nil {
		return nil
	}
	d.space()
	end, f := scanValue(d.data, d.pos, 0)
	return d.scanned(d.pos, end, f)
}

// scanned goes on to end, or has the error of what is wrong there: what is over a limit is not forgiven.
func (d *decoder) scanned(from, end int, f fault) []byte {
	switch f {
	case faultNone:
		d.pos = end
		return d.data[from:end]
	case faultSyntax:
		d.fail(end, f.String())
	default:
		d.refuse(end, f.String())
	}
	return nil
}

func (d *decoder) word(w string) {
	if d.err != nil {
		return
	}
	if !bytes.HasPrefix(d.data[d.pos:], []byte(w)) {
		d.want(w)
		return
	}
	d.pos += len(w)
}
