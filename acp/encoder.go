package acp

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"
)

// An encoder appends one JSON value to a buffer. The first error sticks.
type encoder struct {
	buf    []byte
	err    error
	codecs *codecs // for value
}

func (e *encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// value writes what v, a pointer, points to.
func (e *encoder) value(v any) {
	p := reflect.ValueOf(v)
	c, ok := e.codecs.whole(p.Type().Elem())
	if !ok {
		c = e.codecs.of(p.Type().Elem(), fieldTag{})
	}
	c.encode(e, p.Elem())
}

func (e *encoder) open()  { e.buf = append(e.buf, '{') }
func (e *encoder) close() { e.buf = append(e.buf, '}') }

// comma separates from what was written before, unless that was the start of an object or array.
func (e *encoder) comma() {
	if c := e.buf[len(e.buf)-1]; c != '{' && c != '[' {
		e.buf = append(e.buf, ',')
	}
}

// member starts a member; text is its name with quotes and colon, and sometimes its value too.
func (e *encoder) member(text string) {
	e.comma()
	e.buf = append(e.buf, text...)
}

func (e *encoder) string(s string) {
	e.buf, _ = jsontext.AppendQuote(e.buf, s) // the error would be about bytes that are now U+FFFD
}

// raw appends a value as it is.
func (e *encoder) raw(v jsontext.Value) {
	line, err := oneLine(v)
	if err != nil {
		e.fail(fmt.Errorf("raw value is %w: %.80q", err, string(v)))
		return
	}
	e.buf = append(e.buf, line...)
}

var errNotJSON = errors.New("not valid JSON")

// oneLine returns v as it is, but for line breaks between its parts, because the wire has one message a line. What is no
// JSON is an error.
func oneLine(v jsontext.Value) (jsontext.Value, error) {
	if i, f := scanValue(v, skipSpace(v, 0), 0); f != faultNone || skipSpace(v, i) != len(v) {
		return nil, errNotJSON
	}
	if bytes.ContainsAny(v, "\r\n") {
		v = v.Clone()
		if err := v.Compact(); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// extra appends the members of an object to the object being written.
func (e *encoder) extra(v jsontext.Value) {
	if len(v) == 0 {
		return
	}
	at := len(e.buf)
	e.raw(v)
	if e.err != nil {
		return
	}
	object := bytes.TrimSpace(e.buf[at:])
	if object[0] != '{' {
		e.fail(fmt.Errorf("extra members must be an object, have %.80q", string(v)))
		return
	}
	inner := bytes.Clone(bytes.TrimSpace(object[1 : len(object)-1]))
	e.buf = e.buf[:at]
	if len(inner) > 0 {
		e.comma()
		e.buf = append(e.buf, inner...)
	}
}
