package acp

import "reflect"

// Inline unions: the members of the variant lie beside those of the struct that has the union. All members of all
// variants that the kind allows are read; which variant it is, is known at the end.

// inlined are the inline unions of an object that is being read.
type inlined []inlineUnion

type inlineUnion struct {
	*union
	field    int
	kind     string // where a tag tells the variants apart: its value
	tagged   bool   // the tag was there
	variants []inlineVariant
}

type inlineVariant struct {
	value reflect.Value // pointer to the variant
	seen  uint64
}

// startInline looks ahead for the tags. It reports false, with an error, where an object has none.
func (l *layout) startInline(d *decoder) (inlined, bool) {
	var all inlined
	for _, i := range l.inline {
		m := &l.members[i]
		in := inlineUnion{union: m.union, field: m.field, variants: make([]inlineVariant, len(m.union.variants))}
		if in.tag != "" {
			kind, found := d.tag(in.tag)
			if !found && d.peek() == '{' {
				d.missing(in.tag)
				return nil, false
			}
			in.kind, in.tagged = string(kind), found
		}
		for j := range in.variants {
			in.variants[j].value = reflect.New(m.union.variants[j].typ)
		}
		all = append(all, in)
	}
	return all, true
}

// member reads the member at hand if it is of an inline union.
func (all inlined) member(d *decoder) bool {
	for i := range all {
		in := &all[i]
		if in.tag != "" && string(d.name) == in.tag {
			d.skip()
			return true
		}
		for j := range in.variants {
			v := &in.union.variants[j]
			if in.tag != "" && v.kind != in.kind {
				continue
			}
			if k := v.layout.find(d.name); k >= 0 {
				in.variants[j].seen |= 1 << k
				v.layout.members[k].read(d, in.variants[j].value.Elem())
				return true
			}
		}
	}
	return false
}

// end sets the fields of the unions.
func (all inlined) end(d *decoder, v reflect.Value) {
	for i := range all {
		in := &all[i]
		chosen := in.chosen()
		switch {
		case chosen >= 0:
			one := &in.variants[chosen]
			in.union.variants[chosen].layout.missing(d, one.value.Elem(), one.seen)
			in.set(v.Field(in.field), one.value.Interface())
		case in.tagged:
			in.set(v.Field(in.field), &Unknown{Kind: in.kind})
		default:
			d.missing(in.wants())
		}
	}
}

// chosen is the index of the variant, -1 if it is none that is known.
func (in *inlineUnion) chosen() int {
	for j, v := range in.union.variants {
		if in.tag != "" && in.tagged && v.kind == in.kind {
			return j
		}
		if k := v.layout.find([]byte(v.kind)); in.tag == "" && k >= 0 && in.variants[j].seen&(1<<k) != 0 {
			return j
		}
	}
	return -1
}

// known lists the names of the members of all variants.
func (u *union) known(c *codecs) []string {
	var all []string
	if u.tag != "" {
		all = append(all, u.tag)
	}
	for _, v := range u.variants {
		all = append(all, c.layout(v.typ).known...)
	}
	return all
}

// encodeInline writes the members of the variant.
func (u *union) encodeInline(e *encoder, from reflect.Value) {
	if unknown, ok := from.Interface().(*Unknown); ok {
		e.member(`"` + u.tag + `":`)
		e.string(unknown.Kind)
		return
	}
	v := u.variantOf(from)
	if v == nil {
		e.nilUnion(u.typ.Name())
		return
	}
	if v.layout.text != "" {
		e.member(v.layout.text)
	}
	v.layout.encodeMembers(e, from.Elem().Elem())
}
