package acp

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// An encoder appends one JSON value to a buffer. The first error sticks.
type encoder struct {
	buf []byte
	err error
}

func (e *encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
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

// raw appends a value as it is. It must be JSON, and stays on one line, because the wire has one message a line.
func (e *encoder) raw(v jsontext.Value) {
	check := decoder{data: v}
	check.skip()
	check.space()
	if check.err != nil || check.pos != len(v) {
		e.fail(fmt.Errorf("raw value is not JSON: %.80q", string(v)))
		return
	}
	if bytes.ContainsAny(v, "\r\n") {
		v = v.Clone()
		if err := v.Compact(); err != nil {
			e.fail(fmt.Errorf("raw value cannot be put on one line: %w", err))
			return
		}
	}
	e.buf = append(e.buf, v...)
}

// optional appends a raw member when there is a value.
func (e *encoder) optional(text string, v jsontext.Value) {
	if len(v) > 0 {
		e.member(text)
		e.raw(v)
	}
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

func encodeString[T ~string](v *T, e *encoder) { e.string(string(*v)) }

func encodeBool(v *bool, e *encoder) { e.buf = strconv.AppendBool(e.buf, *v) }

func encodeUint[T ~uint16 | ~uint32 | ~uint64](v *T, e *encoder) {
	e.buf = strconv.AppendUint(e.buf, uint64(*v), 10)
}

func encodeInt[T ~int32 | ~int64](v *T, e *encoder) {
	e.buf = strconv.AppendInt(e.buf, int64(*v), 10)
}

func encodeFloat(v *float64, e *encoder) {
	if math.IsNaN(*v) || math.IsInf(*v, 0) {
		e.fail(fmt.Errorf("%v is not a JSON number", *v))
		return
	}
	e.buf = strconv.AppendFloat(e.buf, *v, 'g', -1, 64)
}

func encodeSlice[T any](e *encoder, all []T, value func(*T, *encoder)) {
	e.buf = append(e.buf, '[')
	for i := range all {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		value(&all[i], e)
	}
	e.buf = append(e.buf, ']')
}

// encodeMap writes the members in the order of their names, so that the same map is always the same text.
func encodeMap[T any](e *encoder, all map[string]T, value func(*T, *encoder)) {
	e.open()
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		e.string(name)
		e.buf = append(e.buf, ':')
		v := all[name]
		value(&v, e)
	}
	e.close()
}

func encodeNullable[T any](e *encoder, text string, v *Nullable[T], value func(*T, *encoder)) {
	if !v.Present {
		return
	}
	e.member(text)
	if v.Value == nil {
		e.buf = append(e.buf, "null"...)
		return
	}
	value(v.Value, e)
}

// encodeDefault writes an object only if it has members: without any it says no more than leaving it out.
func encodeDefault[T any](e *encoder, text string, v *T, value func(*T, *encoder)) {
	at := len(e.buf)
	e.member(text)
	value(v, e)
	if bytes.HasSuffix(e.buf, []byte(":{}")) {
		e.buf = e.buf[:at]
	}
}
