package acp

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Unknown is the variant of every union that this version of the protocol does not know. It is passed on as it came.
type Unknown struct {
	Kind string         // the value of the member that tells the variants apart; "" when there is none
	Raw  jsontext.Value // the whole object; nil where a union shares its object with others, whose Extra then has the members
}

func (v *Unknown) encode(e *encoder) { e.raw(v.Raw) }

// MarshalJSON returns the object as it came.
func (v *Unknown) MarshalJSON() ([]byte, error) { return marshal(v) }

// unknown reads the object at hand as an Unknown.
func (d *decoder) unknown(kind []byte) *Unknown {
	if d.peek() != '{' {
		d.want("an object")
		return nil
	}
	return &Unknown{Kind: string(kind), Raw: append(jsontext.Value(nil), d.skip()...)}
}

// nilUnion is the error of a union that has to be there and is not.
func (e *encoder) nilUnion(name string) { e.fail(fmt.Errorf("the %s is nil", name)) }

// Text is a content block of plain text.
func Text(s string) ContentBlock { return &TextContent{Text: s} }

// EmbeddedResourceResource is the contents of a resource (ACP v1 content), told apart by the member that holds them.
//
// One of *TextResourceContents, *BlobResourceContents or *Unknown.
type EmbeddedResourceResource interface {
	encodable
	isEmbeddedResourceResource()
}

func (*TextResourceContents) isEmbeddedResourceResource() {}
func (*BlobResourceContents) isEmbeddedResourceResource() {}
func (*Unknown) isEmbeddedResourceResource()              {}

func decodeEmbeddedResourceResource(to *EmbeddedResourceResource, d *decoder) {
	switch {
	case d.holds("text"):
		v := new(TextResourceContents)
		v.decode(d)
		*to = v
	case d.holds("blob"):
		v := new(BlobResourceContents)
		v.decode(d)
		*to = v
	case d.strict:
		d.missing("text or blob")
	default:
		if v := d.unknown(nil); v != nil {
			*to = v
		}
	}
}

func encodeEmbeddedResourceResource(v *EmbeddedResourceResource, e *encoder) {
	if *v == nil {
		e.nilUnion("EmbeddedResourceResource")
		return
	}
	(*v).encode(e)
}

// AvailableCommandInput is what can follow the name of a command (ACP v1 slash commands).
//
// One of *UnstructuredCommandInput or *Unknown.
type AvailableCommandInput interface {
	encodable
	isAvailableCommandInput()
}

func (*UnstructuredCommandInput) isAvailableCommandInput() {}
func (*Unknown) isAvailableCommandInput()                  {}

func decodeAvailableCommandInput(to *AvailableCommandInput, d *decoder) {
	if d.holds("hint") {
		v := new(UnstructuredCommandInput)
		v.decode(d)
		*to = v
		return
	}
	if v := d.unknown(nil); v != nil {
		*to = v
	}
}

func encodeAvailableCommandInput(v *AvailableCommandInput, e *encoder) { (*v).encode(e) }

// holds looks ahead whether the object at hand has a member, without moving.
func (d *decoder) holds(member string) bool {
	ahead := decoder{data: d.data, pos: d.pos}
	for ok := ahead.open(); ok; ok = ahead.next() {
		if string(ahead.name) == member {
			return true
		}
		ahead.skip()
	}
	return false
}
