package acp

import (
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A layout is how the values of a struct are on the wire: an object with these members.
type layout struct {
	members []member
	names   []string // of members; of an inline union one that no JSON string has
	inline  []int    // those of members that are inline unions
	extra   int      // the field for the members that nobody knows; -1: there is none
	known   []string // all names, for strict decoding
	embeds  bool     // the members are those of the one struct that is embedded: a variant that adds only its tag

	tag  string // of a variant of a union: the member that tells it from the others
	text string // that member as it is written, name and value; "" where the variant is the one without it

	whole, bare codec // with and without that member

	hasAliases, fillsMissing bool // the type is an aliasDecoder, a missingFiller
}

// A member is one member of an object, or the members of an inline union.
type member struct {
	fieldTag
	field  int
	needed bool // an object without it is an error
	codec
	union *union // of an inline union
}

// aliasDecoder is asked for the members that its type does not know, and consumes those that it understands.
type aliasDecoder interface{ decodeAlias(*decoder) bool }

// missingFiller is asked for a required member that did not come, and says whether something takes its place.
type missingFiller interface{ fillMissing(member string) bool }

func (c *codecs) layout(t reflect.Type) *layout {
	if l := c.layouts[t]; l != nil {
		return l
	}
	if c.built {
		panic("acp: " + t.String() + " is no type of the protocol: buildCodecs does not find it")
	}
	l := &layout{extra: -1}
	c.layouts[t] = l
	l.whole = codec{
		decode: func(d *decoder, to reflect.Value) { l.decode(d, to, l.tag) },
		encode: func(e *encoder, from reflect.Value) { l.encode(e, from, l.text) },
	}
	l.bare = codec{
		decode: func(d *decoder, to reflect.Value) { to.SetZero(); l.decode(d, to, "") },
		encode: func(e *encoder, from reflect.Value) { l.encode(e, from, "") },
	}
	if t.NumField() == 1 && t.Field(0).Anonymous {
		inner := c.layout(t.Field(0).Type)
		l.embeds, l.members, l.names, l.extra, l.known = true, inner.members, inner.names, inner.extra, slices.Clone(inner.known)
		return l
	}
	l.hasAliases = reflect.PointerTo(t).Implements(reflect.TypeFor[aliasDecoder]())
	l.fillsMissing = reflect.PointerTo(t).Implements(reflect.TypeFor[missingFiller]())
	for i := range t.NumField() {
		l.addField(c, i, t.Field(i))
	}
	return l
}

func (l *layout) addField(c *codecs, i int, f reflect.StructField) {
	m := member{fieldTag: readTag(f), field: i}
	switch {
	case m.unknown:
		l.extra = i
		return
	case m.inline:
		m.union = c.unions[f.Type]
		m.encode = m.union.encodeInline
		l.inline = append(l.inline, len(l.members))
		l.known = append(l.known, m.union.known(c)...)
		l.members, l.names = append(l.members, m), append(l.names, "\xff")
		return
	}
	m.codec = c.of(f.Type, m.fieldTag)
	text, encode := `"`+m.name+`":`, m.encode
	m.lenient = m.lenient || m.name == "_meta"
	m.null = (m.null || m.omit) && f.Type != rawType && !f.Type.Implements(nullableType)
	if m.omit {
		m.encode = omitEmpty(f.Type, text, encode)
	} else {
		m.needed = f.Type.Kind() != reflect.Slice
		m.encode = func(e *encoder, v reflect.Value) { e.member(text); encode(e, v) }
	}
	l.known = append(l.known, m.name)
	l.members, l.names = append(l.members, m), append(l.names, m.name)
}

// markVariant makes the layout that of a variant.
func (l *layout) markVariant(u *union, kind string) {
	if u.tag == "" {
		return
	}
	l.tag, l.known = u.tag, append(l.known, u.tag)
	if !u.isFallback(kind) {
		l.text = `"` + u.tag + `":"` + kind + `"`
	}
}

// find returns the index of a member, -1 for a name that is none.
func (l *layout) find(name []byte) int {
	for i, own := range l.names {
		if own == string(name) {
			return i
		}
	}
	return -1
}

// decode reads an object into v, which is zero. tag is the name of a member that is passed over, or "".
func (l *layout) decode(d *decoder, v reflect.Value, tag string) {
	if l.embeds {
		v = v.Field(0)
	}
	inline, ok := l.startInline(d)
	if !ok {
		return
	}
	var seen uint64 // bit i: members[i]
	for ok := d.open(); ok; ok = d.next() {
		if i := l.find(d.name); i >= 0 {
			seen |= 1 << i
			l.members[i].read(d, v)
			continue
		}
		switch {
		case tag != "" && string(d.name) == tag:
			d.skip()
		case inline.member(d):
		case !d.strict && l.otherSpelling(d, v):
		default:
			l.unknown(d, v)
		}
	}
	l.missing(d, v, seen)
	inline.end(d, v)
}

// read reads the value of the member into its field of v.
func (m *member) read(d *decoder, v reflect.Value) {
	at := d.pos
	if m.null && d.null() {
		return
	}
	field := v.Field(m.field)
	m.decode(d, field)
	if m.lenient && d.forgive(at) {
		field.SetZero()
	}
}

// otherSpelling reads the member at hand if its name is another one for a member that has not come.
func (l *layout) otherSpelling(d *decoder, v reflect.Value) bool {
	for i := range l.members {
		if m := &l.members[i]; m.also != nil && slices.Contains(m.also, string(d.name)) && v.Field(m.field).IsZero() {
			m.read(d, v)
			return true
		}
	}
	return l.hasAliases && v.Addr().Interface().(aliasDecoder).decodeAlias(d)
}

// missing reports needed members that did not come, unless something takes their place.
func (l *layout) missing(d *decoder, v reflect.Value, seen uint64) {
	for i := range l.members {
		m := &l.members[i]
		if !m.needed || seen&(1<<i) != 0 {
			continue
		}
		if d.strict || !l.substitute(m, v) {
			d.missing(m.name)
		}
	}
}

func (l *layout) substitute(m *member, v reflect.Value) bool {
	if m.or != "" {
		v.Field(m.field).SetString(m.or)
		return true
	}
	return m.also != nil && !v.Field(m.field).IsZero() ||
		l.fillsMissing && v.Addr().Interface().(missingFiller).fillMissing(m.name)
}

// unknown keeps the member at hand, name and value, byte for byte. Strict decoding refuses a name that differs from a
// known one only in case, because a peer that ignores case would take it for that member.
func (l *layout) unknown(d *decoder, v reflect.Value) {
	if d.strict {
		for _, name := range l.known {
			if strings.EqualFold(name, string(d.name)) {
				d.refuse(d.start, "member "+string(d.name)+" is not written "+name)
				return
			}
		}
	}
	var to *jsontext.Value
	if l.extra >= 0 {
		to = v.Field(l.extra).Addr().Interface().(*jsontext.Value)
	}
	d.extra(to)
}

// encode writes an object. first is a member that stands before the others, or "".
func (l *layout) encode(e *encoder, v reflect.Value, first string) {
	e.open()
	if first != "" {
		e.member(first)
	}
	l.encodeMembers(e, v)
	e.close()
}

func (l *layout) encodeMembers(e *encoder, v reflect.Value) {
	if l.embeds {
		v = v.Field(0)
	}
	for i := range l.members {
		m := &l.members[i]
		m.encode(e, v.Field(m.field))
	}
	if l.extra >= 0 {
		e.extra(v.Field(l.extra).Bytes())
	}
}
