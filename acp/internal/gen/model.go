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

	tagged map[string]string // Go name of a struct → `"type":"text"`, what a variant starts with on the wire
	tagOf  map[string]string // Go name of a struct → "type"
	bare   map[string]bool   // structs that are a variant of a union in one place and stand alone in another
}

type structure struct {
	name, doc string
	fields    []*field
	embeds    string // the shared struct of a variant that adds only its tag
	hasMeta   bool
}

// mode is how a member is held in Go and when it is written.
type mode int

const (
	required  mode = iota // the value; always written
	pointer               // nil: not there
	list                  // nil: not there
	raw                   // empty: not there
	onOff                 // a bool whose absence is false
	withZero              // the zero value is the schema's default and is not written
	withEmpty             // an object whose default is to have nothing in it
	clearable             // Nullable
	choice                // a union; nil: not there
)

type field struct {
	json, name, doc string
	typ             goType
	mode            mode
	needed          bool // in the list of required members, and not a list itself
	loose           bool // wrong elements of the list are left out
	forgiving       bool // a wrong value is as if it were not there
	nullOK          bool
}

// goType is a Go type with the functions that read and write it.
type goType struct {
	name, decode, encode string
	shape                shape
	elem                 *goType // of lists and maps
	marker               bool    // an object that says something by being there
}

type shape int

const (
	isScalar shape = iota
	isBool
	isStruct
	isUnion
	isList
	isMap
	isRaw
)

type enum struct {
	name, doc string
	values    []string
}

type scalar struct{ name, doc, base string }

type union struct {
	name, doc, tag, fallback string
	tagged, respelt          bool
	variants                 []variant
}

type variant struct{ kind, name string }

type method struct{ wire, name, params, result string }

func build(schema *node, d docs) (*model, error) {
	m := &model{defs: schema.get("$defs"), docs: d, tagged: map[string]string{}, tagOf: map[string]string{}, bare: map[string]bool{}}
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
	if err := errors.Join(all...); err != nil {
		return nil, err
	}
	for _, s := range m.structs {
		for _, f := range s.fields {
			if tag := m.tagOf[f.typ.name]; tag != "" && f.typ.shape == isStruct {
				m.bare[f.typ.name] = true
				f.typ.decode, f.typ.encode = "(*"+f.typ.name+").decodeBare", "(*"+f.typ.name+").encodeBare"
			}
		}
	}
	return m, nil
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
			return fmt.Errorf("the definition is not the one that the code by hand was written for (%q in rules.go, now %q): look at flat.go", want, have)
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
	u := &union{name: goName(name), doc: doc, tag: tag, fallback: fallback, tagged: !hasDefault, respelt: respeltUnions[name]}
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
			m.tagOf[goName(target)] = tag
			m.bare[goName(target)] = true
			target = own
		}
		target = goName(target)
		u.variants = append(u.variants, variant{kind, target})
		m.tagOf[target] = tag
		if kind != fallback || !hasDefault {
			m.tagged[target] = fmt.Sprintf("%q:%q", tag, kind)
		}
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
