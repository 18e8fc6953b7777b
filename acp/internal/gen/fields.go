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
				continue // the last
			}
			f, err := m.field(name, member, properties.get(member), needed[member])
			if err != nil {
				return fmt.Errorf("%s: %w", member, err)
			}
			s.fields = append(s.fields, f)
		}
		if properties.has("_meta") {
			f := &field{json: "_meta", name: "Meta", typ: "jsontext.Value", omit: true}
			f.tagAlso(name + "._meta")
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
		json: member, name: goName(member), typ: t.name, doc: m.docs.ofMember(owner, member), omit: !needed,
	}
	loose, lenient := schema.on("x-deserialize-skip-invalid-items"), schema.on("x-deserialize-default-on-error")
	f.tag("null", needed && (orNull || schema.on("x-deserialize-default-on-null")))
	f.tag("lenient", lenient || forgiven[key])
	f.tag("loose", loose)
	f.tagAlso(key)
	f.tag("or="+instead[key], instead[key] != "")
	switch {
	case nullable[key]:
		f.typ = "Nullable[" + t.name + "]"
	case needed || t.nils:
	case schema.has("default"):
		f.tag("flag", t.name == "bool")
	default:
		f.typ = "*" + t.name
		f.tag("marker", t.marker)
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
		return goType{name: "jsontext.Value", nils: true}, orNull, nil
	case "string":
		return goType{name: "string"}, orNull, nil
	case "boolean":
		return goType{name: "bool"}, orNull, nil
	case "number":
		return goType{name: "float64"}, orNull, nil
	case "integer":
		return goType{name: s.str("format")}, orNull, nil
	case "array":
		elem, _, err := m.resolve(s.get("items"))
		return goType{name: "[]" + elem.name, nils: true}, orNull, err
	case "object":
		elem, _, err := m.resolve(s.get("additionalProperties"))
		return goType{name: "map[string]" + elem.name, nils: true}, orNull, err
	}
	return goType{}, false, fmt.Errorf("no rule for type %q", kinds[0])
}

// named is the Go type of a definition.
func (m *model) named(name string) (goType, error) {
	def := m.defs.get(name)
	if def == nil {
		return goType{}, fmt.Errorf("no definition %q", name)
	}
	t := goType{name: goName(name), nils: m.isUnion(name) || handUnions[name]}
	if def.str("type") == "object" && !t.nils && !isHand(name) {
		properties := def.get("properties")
		t.marker = properties == nil || len(properties.names) == 1 && properties.names[0] == "_meta"
	}
	return t, nil
}
