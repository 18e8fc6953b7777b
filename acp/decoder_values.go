package acp

import (
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
