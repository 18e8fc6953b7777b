package acp

import (
	"reflect"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// A codec reads and writes the values of one Go type. The values are addressable; one that is read into is zero, or holds
// what an earlier member of the same name left and is overwritten as a whole.
type codec struct {
	decode func(d *decoder, to reflect.Value)
	encode func(e *encoder, from reflect.Value)
}

// decodable is implemented by pointers to types that read themselves, because their form on the wire is not that of
// their Go type.
type decodable interface{ decode(*decoder) }

// encodable is implemented by pointers to types that write themselves.
type encodable interface{ encode(*encoder) }

// codecs is what is known of the types of the protocol. It is built once, out of the types and their tags, and never
// changed: the decoders and encoders of all goroutines share it.
type codecs struct {
	layouts map[reflect.Type]*layout // of structs
	unions  map[reflect.Type]*union  // of interfaces
	built   bool
}

// protocol returns the codecs. The first who asks builds them, which takes a fraction of a millisecond.
var protocol = sync.OnceValue(buildCodecs)

func buildCodecs() *codecs {
	c := &codecs{layouts: map[reflect.Type]*layout{}, unions: map[reflect.Type]*union{}}
	all := unions()
	for _, u := range all {
		c.unions[u.typ] = u
	}
	for _, u := range all {
		for i := range u.variants {
			v := &u.variants[i]
			v.layout = c.layout(v.typ)
			v.layout.markVariant(u, v.kind)
		}
	}
	// What types that read themselves read their parts with.
	c.layout(reflect.TypeFor[setConfigOption]())
	c.layout(reflect.TypeFor[SessionConfigSelectGroup]())
	for _, m := range methods() {
		c.of(reflect.TypeOf(m.params).Elem(), fieldTag{})
		if m.result != nil {
			c.of(reflect.TypeOf(m.result).Elem(), fieldTag{})
		}
	}
	c.built = true
	return c
}

// whole returns the codec of a type of the protocol where it is a whole message and not a member: a variant then has the
// member that tells it from the others. It reports false for a type that is not of the protocol.
func (c *codecs) whole(t reflect.Type) (codec, bool) {
	if l := c.layouts[t]; l != nil {
		return l.whole, true
	}
	if hasOwn(t) {
		return c.of(t, fieldTag{}), true
	}
	return codec{}, false
}

// union returns the codec of a union or of a list of one.
func (c *codecs) union(t reflect.Type) (codec, bool) {
	elem := t
	if t.Kind() == reflect.Slice {
		elem = t.Elem()
	}
	if c.unions[elem] == nil {
		return codec{}, false
	}
	return c.of(t, fieldTag{}), true
}

var (
	rawType       = reflect.TypeFor[jsontext.Value]()
	decodableType = reflect.TypeFor[decodable]()
	encodableType = reflect.TypeFor[encodable]()
	nullableType  = reflect.TypeFor[interface{ nullable() }]()
)

// hasOwn says whether a type reads and writes itself.
func hasOwn(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(decodableType) && p.Implements(encodableType)
}

// of returns the codec of a type as a member or an element that has that tag.
func (c *codecs) of(t reflect.Type, ft fieldTag) codec {
	own := codec{
		decode: func(d *decoder, to reflect.Value) { to.Addr().Interface().(decodable).decode(d) },
		encode: func(e *encoder, from reflect.Value) { from.Addr().Interface().(encodable).encode(e) },
	}
	if hasOwn(t) {
		return own
	}
	by := c.byKind(t, ft)
	if reflect.PointerTo(t).Implements(decodableType) {
		by.decode = own.decode
	}
	return by
}

func (c *codecs) byKind(t reflect.Type, ft fieldTag) codec {
	switch {
	case t == rawType && ft.name == "_meta":
		return codec{decodeMeta, encodeRaw}
	case t == rawType:
		return codec{decodeRaw, encodeRaw}
	case t.Implements(nullableType):
		return nullableCodec(c.of(t.Field(1).Type.Elem(), ft), t.Field(1).Type.Elem())
	}
	switch t.Kind() {
	case reflect.Interface:
		u := c.unions[t]
		return codec{u.decode, u.encode}
	case reflect.Struct:
		return c.layout(t).bare
	case reflect.Pointer:
		return pointerCodec(c.of(t.Elem(), ft), t.Elem(), ft.marker)
	case reflect.Slice:
		return sliceCodec(c.of(t.Elem(), ft), t, ft.loose)
	case reflect.Map:
		return mapCodec(c.of(t.Elem(), ft), t)
	case reflect.Bool:
		if ft.flag {
			return codec{decodeFlag, encodeBool}
		}
		return codec{decodeBool, encodeBool}
	case reflect.String:
		return codec{decodeString, encodeString}
	case reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return codec{decodeUint, encodeUint}
	case reflect.Int64:
		return codec{decodeInt, encodeInt}
	case reflect.Float64:
		return codec{decodeFloat, encodeFloat}
	}
	panic("acp: no codec for " + t.String())
}

// A fieldTag is what the tags of a struct field say about a member: json has its name and whether it can be left out, acp a
// list of
//
//	null      null is as if a required member, which is then a list, were empty
//	lenient   a wrong value is as if the member were not there
//	loose     wrong elements of the list are left out
//	flag      an object, as later versions of the protocol mark capabilities, is true
//	marker    a capability that an object marks; some agents say true or false
//	inline    a union whose variants have their members beside those of the struct
//	also=a|b  other names that agents are known to use
//	or=x      the text of a required member that is not there
//
// A member that can be left out is left out when its field is nil, false, "" or a struct without members, and may be null.
// _meta is lenient and has to be an object. The last two count only in lenient decoding, where the real name is not there.
type fieldTag struct {
	name                               string
	omit, unknown                      bool
	null, lenient, loose, flag, marker bool
	inline                             bool
	also                               []string
	or                                 string
}

func readTag(f reflect.StructField) fieldTag {
	name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
	t := fieldTag{name: name, omit: rest == "omitempty", unknown: rest == "unknown"}
	for word := range strings.SplitSeq(f.Tag.Get("acp"), ",") {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "":
		case "null":
			t.null = true
		case "lenient":
			t.lenient = true
		case "loose":
			t.loose = true
		case "flag":
			t.flag = true
		case "marker":
			t.marker = true
		case "inline":
			t.inline = true
		case "also":
			t.also = strings.Split(value, "|")
		case "or":
			t.or = value
		default:
			panic("acp: no such tag: " + word)
		}
	}
	return t
}

// methodTypes are pointers to zero values of what a method takes and gives; result is nil for a notification.
type methodTypes struct {
	name           string
	params, result any
}
