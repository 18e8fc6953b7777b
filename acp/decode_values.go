package acp

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// The functions here read one value each, of the kind that their name says; generated code puts them together.

func decodeString[T ~string](to *T, d *decoder) {
	d.space()
	raw, plain := d.str()
	if d.err != nil {
		return
	}
	inner := raw[1 : len(raw)-1]
	if plain {
		*to = T(inner)
		return
	}
	*to = T(unquote(inner))
}

func decodeBool(to *bool, d *decoder) {
	switch d.peek() {
	case 't':
		d.word("true")
		*to = d.err == nil
	case 'f':
		d.word("false")
		*to = false
	default:
		d.want("a boolean")
	}
}

func decodeUint[T ~uint16 | ~uint32 | ~uint64](to *T, d *decoder) {
	d.space()
	at := d.pos
	raw := d.number()
	if d.err != nil {
		return
	}
	n, err := strconv.ParseUint(string(raw), 10, 64)
	if err != nil || uint64(T(n)) != n {
		d.fail(at, "want a whole number in range, have "+string(raw))
		return
	}
	*to = T(n)
}

func decodeInt[T ~int32 | ~int64](to *T, d *decoder) {
	d.space()
	at := d.pos
	raw := d.number()
	if d.err != nil {
		return
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || int64(T(n)) != n {
		d.fail(at, "want a whole number in range, have "+string(raw))
		return
	}
	*to = T(n)
}

func decodeFloat(to *float64, d *decoder) {
	d.space()
	at := d.pos
	raw := d.number()
	if d.err != nil {
		return
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		d.fail(at, "number out of range: "+string(raw))
		return
	}
	*to = f
}

// decodeRaw keeps the value byte for byte.
func decodeRaw(to *jsontext.Value, d *decoder) {
	*to = append(jsontext.Value(nil), d.skip()...)
}

// decodeMeta reads _meta, which has to be an object or null.
func decodeMeta(to *jsontext.Value, d *decoder) {
	if c := d.peek(); c != '{' && c != 'n' {
		d.want("an object")
		return
	}
	decodeRaw(to, d)
}

func decodeNew[T any](d *decoder, to **T, value func(*T, *decoder)) {
	v := new(T)
	value(v, d)
	*to = v
}

// decodeSlice reads an array; one bad element is an error.
func decodeSlice[T any](d *decoder, to *[]T, value func(*T, *decoder)) {
	all := []T{}
	for ok := d.array(); ok; ok = d.element() {
		var zero T
		all = append(all, zero)
		value(&all[len(all)-1], d)
	}
	*to = all
}

// decodeSliceLoose reads an array and leaves out the elements that are not what they should be.
func decodeSliceLoose[T any](d *decoder, to *[]T, value func(*T, *decoder)) {
	all := []T{}
	for ok := d.array(); ok; ok = d.element() {
		at := d.pos
		var zero T
		all = append(all, zero)
		value(&all[len(all)-1], d)
		if d.forgive(at) {
			all = all[:len(all)-1]
		}
	}
	*to = all
}

func decodeMap[T any](d *decoder, to *map[string]T, value func(*T, *decoder)) {
	all := map[string]T{}
	for ok := d.open(); ok; ok = d.next() {
		name := string(d.name)
		var v T
		value(&v, d)
		all[name] = v
	}
	*to = all
}

func decodeNullable[T any](d *decoder, to *Nullable[T], value func(*T, *decoder)) {
	if d.null() {
		*to = Null[T]()
		return
	}
	var v T
	value(&v, d)
	*to = Some(v)
}
