package acp

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Unknown is the variant of every union that this version of the protocol does not know. It is passed on as it came.
type Unknown struct {
	Kind string         // the value of the member that tells the variants apart; "" when there is none
	Raw  jsontext.Value // the whole object; nil where a union shares its object with others, whose Extra then has the members
}

// MarshalJSON returns the object as it came.
func (v *Unknown) MarshalJSON() ([]byte, error) {
	var e encoder
	e.raw(v.Raw)
	return e.buf, e.err
}

// Text is a content block of plain text.
func Text(s string) ContentBlock { return &TextContent{Text: s} }

// Kind is the value of the member sessionUpdate: what tells the updates apart on the wire.
func Kind(u SessionUpdate) string {
	switch u := u.(type) {
	case *Unknown:
		return u.Kind
	case *AgentMessageChunk: // asked for with each piece of an answer: without a look into the table
		return "agent_message_chunk"
	case *AgentThoughtChunk:
		return "agent_thought_chunk"
	}
	if v := protocol().unions[reflect.TypeFor[SessionUpdate]()].variantOf(reflect.ValueOf(&u).Elem()); v != nil {
		return v.kind
	}
	return ""
}

// EmbeddedResourceResource is the contents of a resource (ACP v1 content), told apart by the member that holds them.
//
// One of *TextResourceContents, *BlobResourceContents or *Unknown.
type EmbeddedResourceResource interface{ isEmbeddedResourceResource() }

func (*TextResourceContents) isEmbeddedResourceResource() {}
func (*BlobResourceContents) isEmbeddedResourceResource() {}
func (*Unknown) isEmbeddedResourceResource()              {}

// AvailableCommandInput is what can follow the name of a command (ACP v1 slash commands).
//
// One of *UnstructuredCommandInput or *Unknown.
type AvailableCommandInput interface{ isAvailableCommandInput() }

func (*UnstructuredCommandInput) isAvailableCommandInput() {}
func (*Unknown) isAvailableCommandInput()                  {}

// A union is how the variants of an interface are told apart: by the value of a member, the tag, or by a member that
// only one of them has.
type union struct {
	typ         reflect.Type
	tag         string // "": the kind of a variant is the name of the member that only it has
	variants    []variant
	fallback    string // the kind of the variant without the tag
	hasFallback bool
	open        bool // an object that is no variant is an Unknown in strict decoding too

	// set gives a value of the interface, to, a variant. Reflection would look for the methods each time.
	set func(to reflect.Value, v any)

	// decodeAlias reads an object whose kind is none that is known, if agents are known to send it.
	decodeAlias func(d *decoder, kind string, to reflect.Value) bool
}

type variant struct {
	kind   string
	typ    reflect.Type
	layout *layout
}

func unionOf[T any](tag string, variants ...variant) *union {
	set := func(to reflect.Value, v any) { *to.Addr().Interface().(*T) = v.(T) }
	return &union{typ: reflect.TypeFor[T](), tag: tag, variants: variants, set: set}
}

// is makes a variant.
func is[T any](kind string) variant { return variant{kind: kind, typ: reflect.TypeFor[T]()} }

// or says which variant an object without the tag is.
func (u *union) or(kind string) *union {
	u.fallback, u.hasFallback = kind, true
	return u
}

func (u *union) isFallback(kind string) bool { return u.hasFallback && kind == u.fallback }

// withAliases sets what is tried before an object becomes an Unknown.
func withAliases[T any](u *union, decodeAlias func(d *decoder, kind string, to *T) bool) {
	u.decodeAlias = func(d *decoder, kind string, to reflect.Value) bool {
		return decodeAlias(d, kind, to.Addr().Interface().(*T))
	}
}

// unions are all unions: those of the schema and those that are written by hand.
func unions() []*union {
	input := unionOf[AvailableCommandInput]("", is[UnstructuredCommandInput]("hint"))
	input.open = true
	all := append(generatedUnions(), input,
		unionOf[EmbeddedResourceResource]("", is[TextResourceContents]("text"), is[BlobResourceContents]("blob")),
		unionOf[SessionConfigVariant]("type", is[SessionConfigSelect]("select"), is[SessionConfigBoolean]("boolean")),
		unionOf[ElicitationMode]("mode", is[ElicitationFormMode]("form"), is[ElicitationURLMode]("url")),
		unionOf[ElicitationScope]("", is[ElicitationSessionScope]("sessionId"), is[ElicitationRequestScope]("requestId")),
		unionOf[ElicitationAction]("action", is[ElicitationAcceptAction]("accept"), is[ElicitationDeclineAction]("decline"), is[ElicitationCancelAction]("cancel")))
	for _, u := range all {
		switch u.typ {
		case reflect.TypeFor[ToolCallContent]():
			withAliases(u, decodeToolCallContentAlias)
		case reflect.TypeFor[RequestPermissionOutcome]():
			withAliases(u, decodePermissionOutcomeAlias)
		case reflect.TypeFor[SessionUpdate]():
			withAliases(u, decodeSessionUpdateAlias)
		}
	}
	return all
}

func (u *union) decode(d *decoder, to reflect.Value) {
	kind, found := u.kindOf(d)
	for i := range u.variants {
		if v := &u.variants[i]; found && v.kind == string(kind) || !found && u.isFallback(v.kind) {
			p := reflect.New(v.typ)
			v.layout.whole.decode(d, p.Elem())
			u.set(to, p.Interface())
			return
		}
	}
	if !found && d.strict && !u.hasFallback && !u.open {
		d.missing(u.wants())
		return
	}
	if !d.strict && u.decodeAlias != nil && u.decodeAlias(d, string(kind), to) {
		return
	}
	if v := d.unknown(kind); v != nil {
		u.set(to, v)
	}
}

// kindOf looks ahead for what tells the variants apart.
func (u *union) kindOf(d *decoder) (kind []byte, found bool) {
	if u.tag != "" {
		return d.tag(u.tag)
	}
	for _, v := range u.variants {
		if d.holds(v.kind) {
			return []byte(v.kind), true
		}
	}
	return nil, false
}

// wants names what an object of the union has to have.
func (u *union) wants() string {
	if u.tag != "" {
		return u.tag
	}
	var all []string
	for _, v := range u.variants {
		all = append(all, v.kind)
	}
	return strings.Join(all, " or ")
}

// unknown reads the object at hand as an Unknown.
func (d *decoder) unknown(kind []byte) *Unknown {
	if d.peek() != '{' {
		d.want("an object")
		return nil
	}
	return &Unknown{Kind: string(kind), Raw: d.raw()}
}

func (u *union) encode(e *encoder, from reflect.Value) {
	if unknown, ok := from.Interface().(*Unknown); ok {
		e.raw(unknown.Raw)
	} else if v := u.variantOf(from); v != nil {
		v.layout.whole.encode(e, from.Elem().Elem())
	} else {
		e.nilUnion(u.typ.Name())
	}
}

// variantOf finds the variant of a value of the interface; nil when it is nil, or none.
func (u *union) variantOf(value reflect.Value) *variant {
	if value.IsNil() {
		return nil
	}
	t := value.Elem().Type()
	for i := range u.variants {
		if t.Kind() == reflect.Pointer && u.variants[i].typ == t.Elem() {
			return &u.variants[i]
		}
	}
	return nil
}

// nilUnion is the error of a union that has to be there and is not.
func (e *encoder) nilUnion(name string) { e.fail(fmt.Errorf("the %s is nil", name)) }

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
