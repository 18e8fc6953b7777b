package acp

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
)

// Codecs of values that are no structs and no unions.

func decodeString(d *decoder, to reflect.Value) { to.SetString(d.text()) }
func encodeString(e *encoder, v reflect.Value)  { e.string(v.String()) }

func decodeBool(d *decoder, to reflect.Value) { to.SetBool(d.boolean()) }
func encodeBool(e *encoder, v reflect.Value)  { e.buf = strconv.AppendBool(e.buf, v.Bool()) }

func decodeFlag(d *decoder, to reflect.Value) { to.SetBool(d.flag()) }

func decodeUint(d *decoder, to reflect.Value) {
	at, raw := d.numberAt()
	n, err := strconv.ParseUint(string(raw), 10, to.Type().Bits())
	if d.err == nil && err != nil {
		d.fail(at, "want a whole number in range, have "+string(raw))
	}
	to.SetUint(n)
}

func encodeUint(e *encoder, v reflect.Value) { e.buf = strconv.AppendUint(e.buf, v.Uint(), 10) }

func decodeInt(d *decoder, to reflect.Value) {
	at, raw := d.numberAt()
	n, err := strconv.ParseInt(string(raw), 10, to.Type().Bits())
	if d.err == nil && err != nil {
		d.fail(at, "want a whole number in range, have "+string(raw))
	}
	to.SetInt(n)
}

func encodeInt(e *encoder, v reflect.Value) { e.buf = strconv.AppendInt(e.buf, v.Int(), 10) }

func decodeFloat(d *decoder, to reflect.Value) {
	at, raw := d.numberAt()
	f, err := strconv.ParseFloat(string(raw), 64)
	if d.err == nil && err != nil {
		d.fail(at, "number out of range: "+string(raw))
	}
	to.SetFloat(f)
}

func encodeFloat(e *encoder, v reflect.Value) {
	f := v.Float()
	if math.IsNaN(f) || math.IsInf(f, 0) {
		e.fail(fmt.Errorf("%v is not a JSON number", f))
		return
	}
	e.buf = strconv.AppendFloat(e.buf, f, 'g', -1, 64)
}

// decodeRaw keeps the value byte for byte.
func decodeRaw(d *decoder, to reflect.Value) { to.SetBytes(d.raw()) }
func encodeRaw(e *encoder, v reflect.Value)  { e.raw(v.Bytes()) }

// decodeMeta reads _meta, which has to be an object or null.
func decodeMeta(d *decoder, to reflect.Value) {
	if c := d.peek(); c != '{' && c != 'n' {
		d.want("an object")
		return
	}
	decodeRaw(d, to)
}

func pointerCodec(elem codec, t reflect.Type, marker bool) codec {
	return codec{
		decode: func(d *decoder, to reflect.Value) {
			c := byte(0)
			if marker {
				c = d.peek()
			}
			if c == 'f' {
				d.word("false")
				to.SetZero()
				return
			}
			v := reflect.New(t)
			if c == 't' {
				d.word("true")
			} else {
				elem.decode(d, v.Elem())
			}
			to.Set(v)
		},
		encode: func(e *encoder, from reflect.Value) { elem.encode(e, from.Elem()) },
	}
}

// nullableCodec is for a [Nullable]: the fields are Present and Value.
func nullableCodec(elem codec, t reflect.Type) codec {
	return codec{
		decode: func(d *decoder, to reflect.Value) {
			to.SetZero()
			to.Field(0).SetBool(true)
			if !d.null() {
				v := reflect.New(t)
				elem.decode(d, v.Elem())
				to.Field(1).Set(v)
			}
		},
		encode: func(e *encoder, from reflect.Value) {
			if v := from.Field(1); !v.IsNil() {
				elem.encode(e, v.Elem())
				return
			}
			e.buf = append(e.buf, "null"...)
		},
	}
}

// sliceCodec reads a list that is there as one that is not nil. One bad element makes the list bad, unless it is loose.
func sliceCodec(elem codec, t reflect.Type, loose bool) codec {
	empty := reflect.MakeSlice(t, 0, 0)
	return codec{
		decode: func(d *decoder, to reflect.Value) {
			to.Set(empty)
			for ok := d.array(); ok; ok = d.element() {
				at, n := d.pos, to.Len()
				to.Grow(1)
				to.SetLen(n + 1)
				v := to.Index(n)
				v.SetZero()
				elem.decode(d, v)
				if loose && d.forgive(at) {
					to.SetLen(n)
				}
			}
		},
		encode: func(e *encoder, from reflect.Value) {
			e.buf = append(e.buf, '[')
			for i := range from.Len() {
				e.comma()
				elem.encode(e, from.Index(i))
			}
			e.buf = append(e.buf, ']')
		},
	}
}

// mapCodec writes the members in the order of their names, so that the same map is always the same text.
func mapCodec(elem codec, t reflect.Type) codec {
	return codec{
		decode: func(d *decoder, to reflect.Value) {
			to.Set(reflect.MakeMap(t))
			for ok := d.open(); ok; ok = d.next() {
				name := reflect.ValueOf(string(d.name))
				v := reflect.New(t.Elem()).Elem()
				elem.decode(d, v)
				to.SetMapIndex(name, v)
			}
		},
		encode: func(e *encoder, from reflect.Value) {
			all := map[string]reflect.Value{}
			for name, v := range from.Seq2() {
				all[name.String()] = v
			}
			e.open()
			for _, name := range slices.Sorted(maps.Keys(all)) {
				e.comma()
				e.string(name)
				e.buf = append(e.buf, ':')
				v := reflect.New(t.Elem()).Elem()
				v.Set(all[name])
				elem.encode(e, v)
			}
			e.close()
		},
	}
}

// omitEmpty makes the writer of a member that can be left out.
func omitEmpty(t reflect.Type, text string, encode func(*encoder, reflect.Value)) func(*encoder, reflect.Value) {
	absent := reflect.Value.IsZero
	switch {
	case t == rawType:
		absent = func(v reflect.Value) bool { return v.Len() == 0 }
	case t.Implements(nullableType):
		absent = func(v reflect.Value) bool { return !v.Field(0).Bool() }
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Map, t.Kind() == reflect.Pointer, t.Kind() == reflect.Interface:
		absent = reflect.Value.IsNil
	case t.Kind() == reflect.Struct: // without members it says no more than nothing
		return func(e *encoder, v reflect.Value) {
			at := len(e.buf)
			e.member(text)
			encode(e, v)
			if bytes.HasSuffix(e.buf, []byte(":{}")) {
				e.buf = e.buf[:at]
			}
		}
	}
	return func(e *encoder, v reflect.Value) {
		if !absent(v) {
			e.member(text)
			encode(e, v)
		}
	}
}
