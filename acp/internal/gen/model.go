package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// model is the schema as Go sees it.
type model struct {
	defs    *node
	docs    docs
	structs []*structure
	enums   []*enum
	scalars []*scalar
	unions  []*union
	methods []*method
}

type structure struct {
	name, doc string
	fields    []*field
	embeds    string // the shared struct of a variant that adds only its tag
}

type field struct {
	json, name, typ, doc string
	omit                 bool     // it can be left out
	tags                 []string // what the codec of package acp is told, see readTag there
}

// tag adds a word to the tags if it is true.
func (f *field) tag(word string, is bool) {
	if is {
		f.tags = append(f.tags, word)
	}
}

func (f *field) tagAlso(key string) { f.tag("also="+also[key], also[key] != "") }

// goType is the Go type of a member, before it is known whether the member can be left out.
type goType struct {
	name   string
	nils   bool // nil is a value of the type: it says that the member is not there
	marker bool // an object that says something by being there
}

type enum struct {
	name, doc string
	values    []string
}

type scalar struct{ name, doc, base string }

type union struct {
	name, doc, tag, fallback string
	hasFallback              bool
	variants                 []variant
}

type variant struct{ kind, name string }

type method struct{ wire, name, params, result string }

func build(schema *node, d docs) (*model, error) {
	m := &model{defs: schema.get("$defs"), docs: d}
	if m.defs == nil {
		return nil, fmt.Errorf("the schema has no $defs")
	}
	names := slices.Sorted(slices.Values(m.defs.names))
	for name := range byHand {
		if !m.defs.has(name) {
			return nil, fmt.Errorf("%s is written by hand but no longer in the schema", name)
		}
	}
	for _, name := range names { // unions first: they say which structs are variants
		if def := m.defs.get(name); m.isUnion(name) {
			if err := m.addUnion(name, def); err != nil {
				return nil, err
			}
		}
	}
	var all []error // all of them: an upgrade is looked at as a whole
	for _, name := range names {
		def := m.defs.get(name)
		m.addMethod(name, def)
		if err := m.addDef(name, def); err != nil {
			all = append(all, fmt.Errorf("%s: %w", name, err))
		}
	}
	return m, errors.Join(all...)
}

func (m *model) addDef(name string, def *node) error {
	switch {
	case leftOut[name] != "", m.isUnion(name):
		return nil
	case isHand(name):
		var b bytes.Buffer
		def.print(&b, false)
		have := fmt.Sprintf("%x", sha256.Sum256(b.Bytes()))[:8]
		if want := byHand[name]; have != want {
			return fmt.Errorf("the definition is not the one that the code by hand was written for (%q in rules.go, now %q): look at config_option.go, elicitation.go, scalar.go and union.go", want, have)
		}
		return nil
	case values(def) != nil:
		doc, err := m.docs.of(name)
		m.enums = append(m.enums, &enum{name: goName(name), doc: doc, values: values(def)})
		return err
	case def.str("type") == "object":
		return m.addStruct(name, def)
	case def.str("type") == "string":
		doc, err := m.docs.of(name)
		m.scalars = append(m.scalars, &scalar{goName(name), doc, "string"})
		return err
	case def.str("type") == "integer":
		doc, err := m.docs.of(name)
		m.scalars = append(m.scalars, &scalar{goName(name), doc, def.str("format")})
		return err
	}
	return fmt.Errorf("no rule for this definition")
}

func isHand(name string) bool { _, ok := byHand[name]; return ok }

// values returns the constants of an enumeration, nil for anything else.
func values(def *node) []string {
	var all []string
	for _, one := range append(slices.Clone(def.list("oneOf")), def.list("anyOf")...) {
		switch {
		case one.str("type") != "string":
			return nil
		case one.has("const"):
			all = append(all, one.str("const"))
		}
	}
	return all
}

// isUnion holds for definitions whose Go type is an interface that is generated.
func (m *model) isUnion(name string) bool {
	return !isHand(name) && leftOut[name] == "" && (m.defs.get(name).has("discriminator") || tags[name] != "")
}

func (m *model) addUnion(name string, def *node) error {
	tag := def.get("discriminator").str2("propertyName")
	if tag == "" {
		tag = tags[name]
	}
	doc, err := m.docs.of(name)
	if err != nil {
		return err
	}
	fallback, hasDefault := defaultTag[name]
	u := &union{name: goName(name), doc: doc, tag: tag, fallback: fallback, hasFallback: hasDefault}
	all := append(slices.Clone(def.list("oneOf")), def.list("anyOf")...)
	shared := map[string]int{}
	for _, one := range all {
		shared[ref(one)]++
	}
	for _, one := range all {
		target, kind := ref(one), one.get("properties", tag).str2("const")
		switch {
		case target == "" && kind == "":
			continue // the schema's own "other" arm: Unknown
		case target == "":
			target = unnamed[name+"/"+kind]
			if target == "" {
				return fmt.Errorf("%s: variant %q has no name: add one to unnamed", name, kind)
			}
			if err := m.addStruct(target, &node{members: map[string]*node{}}); err != nil {
				return err
			}
		case kind == "":
			kind = fallback
		}
		if shared[target] > 1 {
			own := goName(kind)
			doc, err := m.docs.of(own)
			if err != nil {
				return err
			}
			m.structs = append(m.structs, &structure{name: own, doc: doc, embeds: goName(target)})
			target = own
		}
		u.variants = append(u.variants, variant{kind, goName(target)})
	}
	m.unions = append(m.unions, u)
	return nil
}

func (n *node) str2(name string) string {
	if n == nil {
		return ""
	}
	return n.str(name)
}

// ref is the definition that a schema refers to, directly or as its only allOf.
func ref(n *node) string {
	if all := n.list("allOf"); len(all) == 1 {
		n = all[0]
	}
	return strings.TrimPrefix(n.str("$ref"), "#/$defs/")
}

func (m *model) addMethod(name string, def *node) {
	wire := def.str("x-method")
	if wire == "" {
		return
	}
	i := slices.IndexFunc(m.methods, func(have *method) bool { return have.wire == wire })
	if i < 0 {
		i = len(m.methods)
		m.methods = append(m.methods, &method{wire: wire, name: "Method" + goName(wire)})
	}
	if strings.HasSuffix(name, "Response") {
		m.methods[i].result = goName(name)
	} else {
		m.methods[i].params = goName(name)
	}
}
