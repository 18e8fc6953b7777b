package acp

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// lenient is how values that are not protocol types are read and written: bytes that are no UTF-8 become U+FFFD, and of
// two members with one name the last counts.
var lenient = json.JoinOptions(
	jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true), jsontext.PreserveRawStrings(true), json.Deterministic(true))

// A DecodeError says what in a message is not as the protocol has it.
type DecodeError struct {
	Path   string // where, as a JSON pointer: /update/content/text; "" is the whole value
	Offset int    // in bytes from the start of the value
	Text   string // what is wrong there

	refused bool // by strict decoding or by a limit: no leniency forgives it
}

func (e *DecodeError) Error() string {
	if e.Path == "" {
		return e.Text
	}
	return e.Path + ": " + e.Text
}

// Marshal returns v as JSON on one line. Protocol types keep the unknown members, _meta and raw values that they were
// read with byte for byte; text that is no UTF-8 becomes U+FFFD.
func Marshal(v any) ([]byte, error) {
	if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer && !p.IsNil() {
		if c, ok := protocol().whole(p.Type().Elem()); ok {
			return marshalBy(c, p)
		}
	}
	switch v := v.(type) {
	case json.Marshaler: // a protocol type that is no pointer, a raw value, or something of the caller's
		text, err := v.MarshalJSON()
		if err != nil {
			return nil, err
		}
		var e encoder
		e.raw(text)
		return e.buf, e.err
	case nil:
		return []byte("null"), nil
	}
	return json.Marshal(v, lenient)
}

// marshal is what the MarshalJSON methods of the protocol types do. v is a pointer to one.
func marshal(v any) ([]byte, error) {
	p := reflect.ValueOf(v)
	c, _ := protocol().whole(p.Type().Elem())
	return marshalBy(c, p)
}

func marshalBy(c codec, p reflect.Value) ([]byte, error) {
	e := encoder{buf: make([]byte, 0, 512), codecs: protocol()}
	c.encode(&e, p.Elem())
	if e.err != nil {
		return nil, fmt.Errorf("encode %s: %w", p.Type(), e.err)
	}
	return e.buf, nil
}

// Unmarshal reads data into v, a pointer, as leniently as the schema asks for: what is wrong in an optional member is as
// if it were not there, a wrong element of a list is left out, other spellings that agents are known to use are understood
// (variants.go), unknown variants become [Unknown] and unknown members Extra. v keeps nothing of data. What the user has
// answered to a question is refused where two readers could take it differently.
func Unmarshal(data []byte, v any) error {
	return unmarshalAny(data, v, false, lenient)
}

// UnmarshalStrict is [Unmarshal] for what decides about paths and permissions. It refuses an object, at any depth, with
// two members of one name, and a member whose name differs from a known one only in case: such a message means one thing
// to the code that checks it and another to the code that acts on it. Other spellings are not understood.
func UnmarshalStrict(data []byte, v any) error {
	dec := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowInvalidUTF8(true))
	if _, err := dec.ReadValue(); err != nil {
		return refusal(err)
	}
	return unmarshalAny(data, v, true, jsontext.AllowInvalidUTF8(true))
}

// refusal is an error of jsontext as one that no leniency forgives.
func refusal(err error) *DecodeError {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		return &DecodeError{Path: string(syntax.JSONPointer), Offset: int(syntax.ByteOffset), Text: syntax.Err.Error(), refused: true}
	}
	return &DecodeError{Text: err.Error(), refused: true}
}

// unmarshalAny reads a value of a protocol type, a list of a union, or any other Go value.
func unmarshalAny(data []byte, v any, strict bool, options json.Options) error {
	if n, ok := v.(*SessionNotification); ok && n != nil && plainChunk(data, n) {
		return nil
	}
	if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer && !p.IsNil() {
		c, ok := protocol().whole(p.Type().Elem())
		if !ok {
			c, ok = protocol().union(p.Type().Elem())
		}
		if ok {
			return unmarshalBy(c, data, p, strict)
		}
	}
	return json.Unmarshal(data, v, options)
}

// unmarshal is what the UnmarshalJSON methods of the protocol types do. v is a pointer to one.
func unmarshal(data []byte, v any) error {
	p := reflect.ValueOf(v)
	c, _ := protocol().whole(p.Type().Elem())
	return unmarshalBy(c, data, p, false)
}

func unmarshalBy(c codec, data []byte, p reflect.Value, strict bool) error {
	p.Elem().SetZero()
	if isAnswer(p.Type().Elem()) {
		if err := checkAnswer(data); err != nil {
			return err
		}
	}
	d := decoder{data: data, strict: strict, codecs: protocol()}
	c.decode(&d, p.Elem())
	return d.end()
}

// end reports the error of the decoding, or what follows the value.
func (d *decoder) end() error {
	d.space()
	if d.err == nil && d.pos < len(d.data) {
		d.fail(d.pos, "more than one value")
	}
	if d.err == nil {
		return nil
	}
	d.err.Path = pointer(d.data, d.err.Offset)
	return d.err
}

// pointer finds the JSON pointer of the value at offset. It reads the input once more: only errors pay for it.
func pointer(data []byte, offset int) string {
	dec := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	for {
		_, err := dec.ReadToken()
		if err != nil || dec.InputOffset() > int64(offset) {
			return string(dec.StackPointer())
		}
	}
}
