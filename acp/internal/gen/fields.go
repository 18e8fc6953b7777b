package main

import (
	"fmt"
	"slices"
)

func (m *model) addStruct(name string, def *node) error {
	doc, err := m.docs.of(name)
	if err != nil {
		return err
	}
	s := &structure{name: goName(name), doc: doc}
	needed := map[string]bool{}
	for _, n := range def.list("required") {
		needed[n.text] = true
	}
	if properties := def.get("properties"); properties != nil {
		for _, member := range properties.names {
			if member == "_meta" {
				s.hasMeta = true
				continue
			}
			f, err := m.field(name, member, properties.get(member), needed[member])
			if err != nil {
				return fmt.Errorf("%s: %w", member, err)
			}
			s.fields = append(s.fields, f)
		}
	}
	m.structs = append(m.structs, s)
	return nil
}

func (m *model) field(owner, member string, schema *node, needed bool) (*field, error) {
	t, orNull, err := m.resolve(schema)
	if err != nil {
		return nil, err
	}
	key := owner + "." + member
	f := &field{
		json: member, name: goName(member), typ: t, doc: m.docs.ofMember(owner, member),
		loose:     schema.on("x-deserialize-skip-invalid-items"),
		forgiving: schema.on("x-deserialize-default-on-error") || forgiven[key],
		nullOK:    orNull || !needed || schema.on("x-deserialize-default-on-null"),
	}
	switch {
	case nullable[key]:
		f.mode = clearable
	case needed:
		f.mode, f.needed = required, t.shape != isList
	case t.shape == isList || t.shape == isMap:
		f.mode = list
	case t.shape == isRaw:
		f.mode = raw
	case t.shape == isUnion:
		f.mode = choice
	case t.shape == isBool && schema.has("default"):
		f.mode = onOff
	case t.shape == isStruct && schema.has("default"):
		f.mode = withEmpty
	case schema.has("default"):
		f.mode = withZero
	default:
		f.mode = pointer
	}
	return f, nil
}

// resolve finds the Go type of a member, and whether it may be null.
func (m *model) resolve(s *node) (goType, bool, error) {
	if any := s.list("anyOf"); len(any) == 2 && any[1].str("type") == "null" {
		t, _, err := m.resolve(any[0])
		return t, true, err
	}
	if target := ref(s); target != "" {
		t, err := m.named(target)
		return t, false, err
	}
	kinds := []string{s.str("type")}
	if all := s.list("type"); all != nil {
		kinds = nil
		for _, n := range all {
			kinds = append(kinds, n.text)
		}
	}
	orNull := slices.Contains(kinds, "null")
	switch kinds[0] {
	case "":
		return goType{name: "jsontext.Value", decode: "decodeRaw", shape: isRaw}, orNull, nil
	case "string":
		return scalarType("string", "string"), orNull, nil
	case "boolean":
		return goType{name: "bool", decode: "decodeBool", encode: "encodeBool", shape: isBool}, orNull, nil
	case "number":
		return goType{name: "float64", decode: "decodeFloat", encode: "encodeFloat"}, orNull, nil
	case "integer":
		return scalarType(s.str("format"), s.str("format")), orNull, nil
	case "array":
		elem, _, err := m.resolve(s.get("items"))
		return goType{name: "[]" + elem.name, shape: isList, elem: &elem}, orNull, err
	case "object":
		elem, _, err := m.resolve(s.get("additionalProperties"))
		return goType{name: "map[string]" + elem.name, shape: isMap, elem: &elem}, orNull, err
	}
	return goType{}, false, fmt.Errorf("no rule for type %q", kinds[0])
}

func scalarType(name, base string) goType {
	kind := map[string]string{"string": "String", "uint16": "Uint", "uint32": "Uint", "uint64": "Uint", "int32": "Int", "int64": "Int"}[base]
	return goType{name: name, decode: "decode" + kind + "[" + name + "]", encode: "encode" + kind + "[" + name + "]"}
}

// named is the Go type of a definition.
func (m *model) named(name string) (goType, error) {
	def, goTyp := m.defs.get(name), goName(name)
	switch {
	case def == nil:
		return goType{}, fmt.Errorf("no definition %q", name)
	case m.isUnion(name), handUnions[name]:
		return goType{name: goTyp, decode: "decode" + goTyp, encode: "encode" + goTyp, shape: isUnion}, nil
	case isHand(name):
		return goType{name: goTyp, decode: "(*" + goTyp + ").decode", encode: "(*" + goTyp + ").encode", shape: isStruct}, nil
	case values(def) != nil, def.str("type") == "string":
		t := scalarType(goTyp, "string")
		if own := respeltScalars[name]; own != "" {
			t.decode = own
		}
		return t, nil
	case def.str("type") == "integer":
		return scalarType(goTyp, def.str("format")), nil
	}
	properties := def.get("properties")
	empty := properties == nil || len(properties.names) == 1 && properties.names[0] == "_meta"
	return goType{name: goTyp, decode: "(*" + goTyp + ").decode", encode: "(*" + goTyp + ").encode", shape: isStruct, marker: empty}, nil
}
